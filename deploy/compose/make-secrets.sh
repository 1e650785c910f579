#!/bin/sh
# Makes the secrets of compose.yaml, once: what is there stays. $1 is Boathook's folder, $2 that of PostgreSQL's password.
# Runs in the image, whose Node is random.
set -eu
cd "$1"
umask 077
random() { node -p "crypto.randomBytes(32).toString('$1')"; }

# Earlier versions kept it beside the master key.
[ -s postgres-password ] && mv postgres-password "$2/postgres-password"
[ -s "$2/postgres-password" ] || random hex > "$2/postgres-password"
[ -s boathook.env ] && exit 0
{
  echo "BOATHOOK_DATABASE_URL=postgres://boathook:$(cat "$2/postgres-password")@postgres/boathook"
  echo "BOATHOOK_MASTER_KEY=$(random base64)"
  echo "BOATHOOK_OPERATOR_TOKEN=$(random base64url)"
} > boathook.env.new
chown --reference=. boathook.env.new
mv boathook.env.new boathook.env
