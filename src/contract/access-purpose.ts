/** The claim `purpose` of tokens with which the explorer asks about the access of roles, at `ACCESS_PATHS`. */
export const ACCESS_PURPOSE = 'access';

export const ACCESS_PATHS = { matrix: '/explorer/access/matrix', row: '/explorer/access/row' } as const;
