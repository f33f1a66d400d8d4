// The part of the optional package that is used here. Declared by ourselves, because a build has to work without it.
declare module 'koffi' {
  export interface CType {
    readonly name: string;
  }

  export interface Library {
    /** @param result and parameters: types of C */
    func(
      name: string,
      result: string,
      parameters: readonly (CType | string)[],
    ): (...values: readonly unknown[]) => number;
  }

  /** @param file null for what the process has loaded, the C library among it */
  export function load(file: null): Library;
  export function struct(fields: Readonly<Record<string, CType | string>>): CType;
  export function pointer(type: CType): CType;
  export function sizeof(type: CType): number;
  /** Of the last call. */
  export function errno(): number;
}
