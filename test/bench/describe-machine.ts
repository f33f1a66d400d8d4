// Describes what a measurement ran on.
import { execFileSync } from 'node:child_process';
import os from 'node:os';

export function describeMachine(databaseVersion: string): string {
  const cores = os.cpus();
  const commit = execFileSync('git', ['describe', '--always', '--dirty', '--abbrev=8'], { encoding: 'utf8' }).trim();
  const [load = 0] = os.loadavg();
  return [
    `Date: ${new Date().toISOString().slice(0, 16)}Z. Commit: ${commit}.`,
    `Machine: ${cores.length} × ${cores[0]?.model.trim() ?? 'unknown processor'}, ${os.type()} ${os.release()}, load ${load.toFixed(1)}.`,
    `Versions: Node ${process.versions.node}, PostgreSQL ${databaseVersion}.`,
  ].join('\n');
}
