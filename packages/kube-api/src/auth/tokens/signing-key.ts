import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

const algorithm = 'ES256';
/** JSON web signatures are the two numbers one after the other, without the encoding of certificates. */
const dsaEncoding = 'ieee-p1363';

/** A new private key for the tokens of service accounts, PEM. */
export const createTokenKey = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

type JsonClaims = Readonly<Record<string, unknown>>;

/** Signs tokens and reads signed ones. The key is made when the first token is, unless one is given. */
export class SigningKey {
  readonly #given: string | undefined;
  #private: KeyObject | undefined;

  /** @param pem the private key of an earlier start */
  constructor(pem: string | undefined) {
    this.#given = pem;
  }

  /** A JSON web token of these claims. */
  sign(claims: JsonClaims): string {
    const head = encodePart({ alg: algorithm, kid: this.#id() });
    const text = `${head}.${encodePart(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), { key: this.#key(), dsaEncoding }).toString('base64url')}`;
  }

  /** The claims of a token that this key signed; undefined for any other text. */
  read(token: string): JsonClaims | undefined {
    const [head = '', body = '', signature = '', ...more] = token.split('.');
    if (more.length > 0 || signature === '') return undefined;
    const header = decodePart(head);
    if (header?.['alg'] !== algorithm || header['kid'] !== this.#id()) return undefined;
    const key = { key: createPublicKey(this.#key()), dsaEncoding } as const;
    const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
    return isSigned ? decodePart(body) : undefined;
  }

  /** The public key as a JSON web key set. */
  keySet(): JsonClaims {
    const { kty, crv, x, y } = createPublicKey(this.#key()).export({ format: 'jwk' });
    return { keys: [{ use: 'sig', kty, kid: this.#id(), crv, alg: algorithm, x, y }] };
  }

  #key(): KeyObject {
    return (this.#private ??= createPrivateKey(this.#given ?? createTokenKey()));
  }

  #id(): string {
    const encoded = createPublicKey(this.#key()).export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(encoded).digest('base64url');
  }
}

export const signingAlgorithm = algorithm;

const encodePart = (value: JsonClaims): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function decodePart(text: string): JsonClaims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as JsonClaims) : undefined;
  } catch {
    return undefined;
  }
}
