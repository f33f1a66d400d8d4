/** On every answer that the request's negotiation shaped (`writing.md` §18.3). */
export const VARY = ['Vary', 'Accept, Prefer, Range'] as const;
