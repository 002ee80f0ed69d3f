# The service, its background jobs, the migrations, and the command line in one image: see docs/guides/containers.md.
# The base images are pinned by version. To pin them by digest, append the digest that `docker buildx imagetools inspect` shows.
FROM docker.io/library/node:24.22.3-bookworm-slim AS build
WORKDIR /src
# This layer is rebuilt only after a change of the lock file.
COPY package.json package-lock.json ./
COPY packages/sdk/package.json packages/sdk/
COPY packages/cli/package.json packages/cli/
COPY docs/clients/package.json docs/clients/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The repository URL for the link "Edit this page". If empty, the URL in package.json is used, if any.
ARG DOCS_REPOSITORY=
RUN node --import tsx scripts/production-files.ts /srv/billhook

# Of Debian, the image has only the libraries that Node.js and its add-ons link to: no shell, and no package manager. The
# folder status.d names the version of each package, so that a scanner can look up vulnerabilities. The file passwd names the
# user, because Docker and containerd do not.
FROM docker.io/library/debian:12.15-slim AS system
WORKDIR /packages
RUN apt-get update \
  && apt-get download base-files gcc-12-base libc6 libgcc-s1 libstdc++6 \
  && mkdir -p /system/var/lib/dpkg/status.d \
  && for package in *.deb; do \
    dpkg-deb --extract "$package" /system || exit 1; \
    dpkg-deb --field "$package" > "/system/var/lib/dpkg/status.d/${package%%_*}" || exit 1; \
  done \
  && echo "hosts: files dns" > /system/etc/nsswitch.conf \
  && echo "billhook:x:10001:10001::/nonexistent:/usr/sbin/nologin" > /system/etc/passwd \
  && rm -rf /var/lib/apt/lists/*

FROM scratch
COPY --from=system /system /
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /srv/billhook /srv/billhook
WORKDIR /srv/billhook
ENV PATH=/usr/local/bin NODE_ENV=production NEXT_TELEMETRY_DISABLED=1
# Numeric, so that Kubernetes can check that the user is not root. The user owns no file of the image.
USER 10001:10001
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "scripts/probe.mjs"]
CMD ["node", "scripts/start.mjs"]
