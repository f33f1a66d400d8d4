#!/bin/sh
# Writes a backup a day and keeps those of two weeks. A backup gets its name only when it is complete.
set -eu
PGPASSWORD=$(cat /run/secrets/postgres-password)
export PGPASSWORD
while true; do
  file=/backups/$(date -u +%Y-%m-%d).dump
  if [ ! -e "$file" ]; then
    pg_dump --format=custom --file="$file.part"
    mv "$file.part" "$file"
    find /backups -name '*.dump' -mtime +14 -delete
  fi
  sleep 600
done
