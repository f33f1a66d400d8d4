// PUBLIC may execute a SECURITY DEFINER function: so may every role that is created later.
import { type Lint, textOf } from './lint.ts';
import { ROUTINES } from './routines.ts';

export const DEFINER_EXECUTABLE_BY_ANYONE: Lint = {
  name: 'definer-executable-by-anyone',
  level: 'warning',
  query: `${ROUTINES}
SELECT routine.object FROM routine WHERE routine.is_definer AND routine.is_public`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: 'The function runs as its owner, and every role may execute it, because PUBLIC may.',
      fix: `REVOKE EXECUTE ON ROUTINE ${textOf(row, 'object')} FROM PUBLIC;\n-- Then GRANT EXECUTE to the roles that need it.`,
    },
  ],
};
