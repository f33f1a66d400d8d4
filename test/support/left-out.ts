// At the end of a run, says in one line what was left out because the machine lacks something, and how to get it: the
// reasons in the names of skipped tests, as `skipped` of `skipped.ts` writes them.
import type { Reporter, TestModule } from 'vitest/node';
import { REASON } from './skipped.ts';

export default class LeftOut implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const { fullName } of modules.flatMap((module) => [...module.children.allTests('skipped')])) {
      const reason = REASON.exec(fullName)?.[1];
      if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    if (counts.size === 0) return;
    const parts = [...counts].map(([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'} (${reason})`);
    console.log(`Left out: ${parts.join(', ')}.`);
  }
}
