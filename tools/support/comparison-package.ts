// The optional package that compares two schemas (`project.md` §8).

/** Its latest release on the registry is empty, so projects name an exact one. */
export const COMPARISON_PACKAGE: Readonly<Record<'name' | 'version', string>> = {
  name: '@supabase/pg-delta',
  version: '1.0.0-alpha.34',
};
