// The product's name and version, as shown in headers, logs and the connections it opens.

export interface Product {
  /** Display name, used in logs, `Proxy-Status` and the API description. */
  readonly name: string;
  /** Lower-case token: `Server: rowhouse/0.1`. */
  readonly token: string;
  /** Two-part version, `MAJOR.MINOR`. */
  readonly version: string;
}

export const PRODUCT: Product = { name: 'rowhouse', token: 'rowhouse', version: '0.1' };
