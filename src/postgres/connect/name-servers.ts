// Returns the servers in a connection string for logs and metrics, such as `replica.example.org:5432`, and nothing
// else.
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
