// Package compose pins the Docker Compose plugin with which CI checks the compose files: `docker compose config`
// needs the client alone. It is built by `go build -o <plugin> github.com/docker/compose/v2/cmd`.
package compose
