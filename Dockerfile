# One image for every part: worker, api, sandbox. How each is watched stands in docker-compose.yml.
FROM node:20.19-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20.19-bookworm-slim
ENV NODE_ENV=production HANDOVER_HOST=0.0.0.0 HANDOVER_DATA_DIR=/var/lib/handover
# as `npm start`: glibc returns freed memory to the system, 90 MB after some hundred reservations
ENV MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
# A worker trusts the system's root certificates, of which this image has none; Node brings its own.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
RUN install -d -o node -g node /var/lib/handover
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# for `docker exec` and `kubectl exec`
RUN chmod +x dist/src/cli.js && ln -s /app/dist/src/cli.js /usr/local/bin/handover
USER node
VOLUME /var/lib/handover
EXPOSE 8080 8081 8082 9090
ENTRYPOINT ["node", "--enable-source-maps", "dist/src/cli.js"]
CMD ["api"]
