// A connection string → the servers that it names, for logs and metrics: `replica.example.org:5432`. Nothing else of it.
import { parseConnectionString } from './connection-string.ts';

export function nameServers(connectionString: string): string {
  const parameters = parseConnectionString(connectionString);
  if (!parameters.ok) return 'unknown';
  const hosts = parameters.value.get('host') || parameters.value.get('hostaddr') || 'localhost';
  const ports = (parameters.value.get('port') || '5432').split(',');
  return hosts
    .split(',')
    .map((host, index) => `${host}:${ports[index] ?? ports[0] ?? ''}`)
    .join(',');
}
