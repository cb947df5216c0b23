#!/bin/sh
# Rented machines as hosts of Paceline: a line "NAME ADDRESS [ADDRESS INSIDE]" each on standard input, as a cloud's own tool prints them, for example
#   aws ec2 describe-instances --filters Name=tag:run,Values=paceline Name=instance-state-name,Values=running \
#     --query 'Reservations[].Instances[].[Tags[?Key==`Name`]|[0].Value,PublicIpAddress,PrivateIpAddress]' --output text | sh machines.sh admin key.pem
# The address inside carries the runs' traffic: the machines must let each other in on all ports, and you on port 22.
set -eu
[ $# -eq 2 ] || { echo "usage: machines.sh USER KEY_FILE <machines.txt" >&2; exit 2; }
while read -r name address inside; do
  [ -n "$address" ] || { echo "machines.sh: \"$name\" has no address" >&2; exit 1; }
  paceline hosts add "$name" --address "$address" --user "$1" --identity "$2" --accept-new-key --data-address "${inside:-$address}" --replace
done
