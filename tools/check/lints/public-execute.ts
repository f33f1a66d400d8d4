// PUBLIC may execute a function that may write, although nobody granted it to a web role.
import { type Lint, textOf } from './lint.ts';
import { ROUTINES } from './routines.ts';

/** SECURITY DEFINER functions have a lint of their own. */
export const PUBLIC_EXECUTE: Lint = {
  name: 'public-execute',
  level: 'note',
  query: `${ROUTINES}
SELECT routine.object FROM routine
WHERE NOT routine.is_definer AND routine.volatility = 'v' AND routine.is_public AND routine.granted = '{}'
  AND routine.is_exposed`,
  read: (row) => [
    {
      object: textOf(row, 'object'),
      role: null,
      message: 'Every role may call the function, because PUBLIC may, although it was granted to none.',
      fix: `REVOKE EXECUTE ON ROUTINE ${textOf(row, 'object')} FROM PUBLIC;\n-- Then GRANT EXECUTE to the roles that need it.`,
    },
  ],
};
