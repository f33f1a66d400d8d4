// How many blocks of each page say of themselves that they cannot be run here.
export const NOT_RUN: Readonly<Record<string, number>> = {
  'README.md': 4,
  'docs/clients.md': 1,
  'docs/operations.md': 7,
  'docs/scale.md': 4,
  'docs/start.md': 5,
  'docs/tutorial.md': 1,
};
