# One image for every part: worker, api, sandbox (see docker-compose.yml).
FROM node:20.19-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20.19-bookworm-slim
ENV NODE_ENV=production HANDOVER_HOST=0.0.0.0 HANDOVER_DATA_DIR=/var/lib/handover
WORKDIR /app
RUN install -d -o node -g node /var/lib/handover
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/dist ./dist
USER node
VOLUME /var/lib/handover
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--enable-source-maps", "dist/src/cli.js"]
CMD ["api"]
