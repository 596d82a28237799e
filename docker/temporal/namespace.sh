#!/bin/sh
# Creates the namespace that Handover works in, once the server serves. Address and namespace are read from
# TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE.
set -eu
until temporal operator cluster health; do sleep 2; done
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
