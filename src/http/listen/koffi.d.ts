// Declares the used part of the optional package, so that the build works without it.
declare module 'koffi' {
  export interface CType {
    readonly name: string;
  }

  export interface Library {
    /** @param result and parameters are C types */
    func(
      name: string,
      result: string,
      parameters: readonly (CType | string)[],
    ): (...values: readonly unknown[]) => number;
  }

  /** @param file null for the libraries loaded by the process, including the C library */
  export function load(file: null): Library;
  export function struct(fields: Readonly<Record<string, CType | string>>): CType;
  export function pointer(type: CType): CType;
  export function sizeof(type: CType): number;
  /** Returns the error number of the last call. */
  export function errno(): number;
}
