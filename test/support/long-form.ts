/** True in the long form of a suite: `ROWHOUSE_LONG=1`, which `npm run test:faults` and `npm run test:hostile` set. */
export const isLong: boolean = process.env['ROWHOUSE_LONG'] !== undefined;
