FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# The image has no .git, so pass the commit: --build-arg COMMIT=$(git rev-parse HEAD), and the tag of a release
ARG VERSION=
ARG COMMIT=
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w -X ayumu/cmd/cli.version=$VERSION -X ayumu/cmd/cli.commit=$COMMIT" -o /ayumu ./cmd/ayumu \
 && mkdir -p /data/.ssh && chmod 700 /data/.ssh

FROM scratch
ARG VERSION=
ARG COMMIT=
LABEL org.opencontainers.image.title=Ayumu \
      org.opencontainers.image.description="A server for the board games Ayu and Mu, played over SSH" \
      org.opencontainers.image.licenses=MIT \
      org.opencontainers.image.version=$VERSION \
      org.opencontainers.image.revision=$COMMIT
COPY --from=build /ayumu /ayumu
# The volume has the host keys and the data file. An unprivileged user owns it.
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
VOLUME /data
WORKDIR /data
ENV AYUMU_LISTEN=:2222 AYUMU_DATA=/data AYUMU_HOST_KEY=/data/.ssh/ayumu_ed25519
EXPOSE 2222
STOPSIGNAL SIGTERM
# Asks the server over the socket in /data, whatever ports it has.
HEALTHCHECK --interval=30s --timeout=12s --start-period=1m CMD ["/ayumu", "health"]
ENTRYPOINT ["/ayumu"]
CMD ["serve"]
