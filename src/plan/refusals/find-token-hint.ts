// Tells a client that counts as anonymous how to send its token.
import { isSchemeMissing } from '../../auth/authenticate.ts';
import { firstHeader, type HeaderList } from '../../contract/http.ts';

const HEADER = 'Authorization: Bearer TOKEN';

/** @param takesTokens whether the server can verify tokens */
export function findTokenHint(
  headers: HeaderList,
  { takesTokens, isWrite }: { readonly takesTokens: boolean; readonly isWrite: boolean },
): string | undefined {
  if (!takesTokens)
    return isWrite ? 'Writing needs a token. The operator sets the key for tokens with jwt-secret' : undefined;
  if (isSchemeMissing(headers)) return `Write Bearer before the token: ${HEADER}`;
  const credentials = firstHeader(headers, 'authorization');
  if (credentials === undefined) return `Send a token with the header ${HEADER}`;
  if (!/^bearer\b/iu.test(credentials)) return `The server reads tokens only from the header ${HEADER}`;
  return isWrite
    ? 'The role of this token is the one for requests without a token. Send a token with another role'
    : undefined;
}
