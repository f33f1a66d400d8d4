# The server alone, without the embedded PostgreSQL and the demo:
#   docker build -t rowhouse .
#   docker run -p 3000:3000 -e SVC_DB_URI=postgres://… -e SVC_DB_ANON_ROLE=web_anon rowhouse
# See docs/operations.md for details.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# Include optional packages: the compiler's binary is one of them.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json README.md LICENSE CHANGELOG.md ./
COPY scripts ./scripts
COPY src ./src
COPY tools ./tools
COPY explorer ./explorer
COPY docs ./docs
COPY templates ./templates
RUN npm pack --pack-destination /tmp

FROM node:24-bookworm-slim
WORKDIR /opt/rowhouse
COPY --from=build /tmp/rowhouse-*.tgz /tmp/
# Not a global installation, for which npm would fetch the optional packages anyway.
RUN npm install --omit=optional --ignore-scripts /tmp/rowhouse-*.tgz && rm -rf /tmp/rowhouse-*.tgz /root/.npm
ENV NODE_ENV=production \
    PATH=/opt/rowhouse/node_modules/.bin:$PATH \
    SVC_SERVER_HOST=0.0.0.0 \
    SVC_SERVER_PORT=3000 \
    SVC_ADMIN_SERVER_HOST=127.0.0.1 \
    SVC_ADMIN_SERVER_PORT=3001
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["rowhouse", "--ready"]
# Signals reach the server itself, which shuts down gracefully and exits with 0.
CMD ["rowhouse"]
