#!/bin/sh
# Installs in this folder the packages that run in production, and lists them in sbom.cdx.json. Beside it: package.json and
# package-lock.json, of which the former is changed. Arguments are npm's.
set -e
npm ci --omit=dev --omit=optional --workspaces=false --no-audit --no-fund "$@"
# A third of the bytes, read by compilers and debuggers only.
find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
# npm sbom takes packages that were left out on purpose for missing ones.
npm pkg delete devDependencies workspaces
npm sbom --sbom-format=cyclonedx --sbom-type=application >sbom.cdx.json
