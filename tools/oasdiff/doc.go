// Package oasdiff pins oasdiff, with which CI compares OpenAPI documents. It is built by `go build -o <program>
// github.com/oasdiff/oasdiff`.
package oasdiff
