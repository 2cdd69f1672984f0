ARG BASE
FROM ${BASE} AS build
WORKDIR /app
RUN python3 -m venv .venv
COPY requirements.txt ./
RUN --mount=type=cache,target=/root/.cache/pip .venv/bin/pip install -r requirements.txt

FROM ${BASE}
WORKDIR /app
COPY --from=build /app/.venv .venv
COPY . .
ENV PATH=/app/.venv/bin:$PATH
USER 1000
CMD ["python", "main.py"]
