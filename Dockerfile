# syntax=docker/dockerfile:1
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

FROM base AS dependencies
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/npm-cache npm ci --omit=dev --workspaces=false --cache /npm-cache

FROM base
LABEL org.opencontainers.image.title="Querywright" \
      org.opencontainers.image.description="Website and order pipeline of a database consulting company"
COPY --from=dependencies --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
COPY --chown=node:node package.json ./
# A small heap for small instances (about 160 MiB per process under load); raise both for larger ones.
ENV NODE_OPTIONS="--max-semi-space-size=4 --max-old-space-size=128"
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# node does not reap orphans as process 1: run with --init (docker-compose.yml does).
CMD ["node", "--enable-source-maps", "dist/api/main.js"]
