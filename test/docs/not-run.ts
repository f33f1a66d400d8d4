// The number of blocks on each page that are marked as not run.
export const NOT_RUN: Readonly<Record<string, number>> = {
  'README.md': 6,
  'docs/agents.md': 4,
  'docs/clients.md': 1,
  'docs/explorer.md': 1,
  'docs/live.md': 10,
  'docs/migration.md': 1,
  'docs/operations.md': 10,
  'docs/projects.md': 6,
  'docs/recipes.md': 2,
  'docs/scale.md': 4,
  'docs/start.md': 10,
  'docs/testing.md': 4,
  'docs/tutorial.md': 1,
  'docs/performance.md': 1,
  'docs/questions.md': 1,
  'docs/writes.md': 2,
};
