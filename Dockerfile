# One image for every process; docker-compose.yml and the Procfile say which command each runs.

FROM node:24-slim AS base
WORKDIR /app
ENV NODE_ENV=production

FROM base AS build
ENV NODE_ENV=development
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/npm-cache npm ci --workspaces=false --cache /npm-cache
COPY . .
RUN npm run build

# The product with the stand-ins for the providers, for docker-compose.demo.yml.
FROM base AS demo
ENV NODE_ENV=development
COPY package.json package-lock.json ./
COPY packages/sandbox/package.json packages/sandbox/
RUN --mount=type=cache,target=/npm-cache npm ci --cache /npm-cache
COPY . .
RUN npm run build && node scripts/build-sandbox.mjs
USER 1000:1000
EXPOSE 3000 3100

FROM base AS product
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Querywright" \
      org.opencontainers.image.description="Website and order pipeline of a database consulting company" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      querywright.sbom="/app/dist/sbom.cdx.json"
# The whole product: the programs are bundled with their packages. Owned by root: the processes cannot change their own code.
COPY --from=build /app/dist ./dist
COPY package.json ./
# A small heap for small instances (160 to 200 MiB per process under load, 125 after it); raise it for larger ones. V8 would
# derive a small young generation from it, which costs a tenth more CPU time.
ENV NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=128 --expose-gc"
# A number, so that Kubernetes can tell that it is not root.
USER 1000:1000
EXPOSE 3000
# No HEALTHCHECK: only the platform knows which process runs, and where it answers.
# node does not reap orphans as process 1: run with --init (docker-compose.yml does).
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
