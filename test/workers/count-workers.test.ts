import { expect, test } from 'vitest';
import { countWorkers, findCores } from '../../src/workers/count-workers.ts';

test.each([
  // cores, db-pool, workers
  [1, 10, 1],
  [2, 10, 1],
  [3, 10, 1],
  [4, 10, 2],
  [4, 5, 1],
  [8, 10, 3],
  [8, 12, 4],
  [16, 12, 4],
  [16, 24, 8],
  [16, 1, 1],
  [0.5, 10, 1],
  [4.5, 100, 2],
  [5.9, 100, 2],
])('%s cores and a db-pool of %s give %s workers', (cores, pool, workers) => {
  expect(countWorkers(cores, pool)).toBe(workers);
});

test.each<[string, number, Readonly<Record<string, string>>]>([
  ['no control groups', 8, {}],
  ['no quota', 8, { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': 'max 100000\n' }],
  ['the quota of a container', 2, { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '200000 100000\n' }],
  [
    'the smallest quota of a service and what is above it',
    1.5,
    {
      '/proc/self/cgroup': '0::/system.slice/rowhouse.service\n',
      '/sys/fs/cgroup/system.slice/rowhouse.service/cpu.max': 'max 100000\n',
      '/sys/fs/cgroup/system.slice/cpu.max': '150000 100000\n',
      '/sys/fs/cgroup/cpu.max': '400000 100000\n',
    },
  ],
  ['a quota above the cores', 8, { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '1600000 100000\n' }],
  [
    'a container with version 1 that sees the path of its host',
    2.5,
    {
      '/proc/self/cgroup': '11:memory:/docker/ab\n4:cpu,cpuacct:/docker/ab\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '250000\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
  ],
  [
    'no quota with version 1',
    8,
    {
      '/proc/self/cgroup': '4:cpuacct,cpu:/\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000\n',
    },
  ],
  ['a path without a root', 8, { '/proc/self/cgroup': '0::rowhouse\n' }],
  ['something else', 8, { '/proc/self/cgroup': 'whatever\n\n', '/sys/fs/cgroup/cpu.max': 'many\n' }],
])('%s: %s of 8 cores', (_, cores, files) => {
  const read = (file: string): string => {
    const text = files[file];
    if (text === undefined) throw new Error(`ENOENT: ${file}`);
    return text;
  };
  expect(findCores(8, read)).toBe(cores);
});
