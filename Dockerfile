# bonmun as a service. Build and run:
#
#   docker build -t bonmun .
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges \
#     -e BONMUN_TOKEN=... -p 127.0.0.1:8000:8000 bonmun
#
# The token is given when it is run, never when it is built.

FROM python:3.13-slim-bookworm AS build
WORKDIR /build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev
COPY pyproject.toml setup.py README.md LICENSE ./
COPY src ./src
ENV BONMUN_KERNEL=required
RUN python -m venv /opt/bonmun && /opt/bonmun/bin/pip install --no-cache-dir ".[serve]"

FROM python:3.13-slim-bookworm
COPY --from=build /opt/bonmun /opt/bonmun
ENV PATH=/opt/bonmun/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin bonmun
USER 10001
WORKDIR /tmp
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/ready', timeout=4)"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["bonmun", "serve", "--host", "0.0.0.0"]
