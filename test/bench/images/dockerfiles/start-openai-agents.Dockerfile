ARG BASE
FROM ${BASE}
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev
COPY . .
USER 1000
CMD ["node", "index.ts"]
