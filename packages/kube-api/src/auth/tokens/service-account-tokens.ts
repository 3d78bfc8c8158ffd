import { fromTimestamp, instant, type Instant, seconds } from '@nodewright/apis';
import type { Clock, Random } from '@nodewright/runtime';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ReadableStore } from '../rbac.ts';
import type { User } from '../user.ts';
import { SigningKey, signingAlgorithm } from './signing-key.ts';

/** An object that a token is bound to: the token ends with it. */
export type BoundObject = { readonly kind: 'Pod' | 'Secret' | 'Node'; readonly name: string; readonly uid: string };

export type TokenIssuer = {
  /** `iss` of the tokens, and where their keys are found. */
  readonly issuer: string;
  /** The audience of the API server itself. */
  readonly audience: string;
};

export type WantedToken = {
  readonly account: ApiObject;
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly bound?: BoundObject;
  /** The node of the pod that the token is bound to. */
  readonly node?: { readonly name: string; readonly uid?: string };
};

export type IssuedToken = { readonly token: string; readonly expiresAt: Instant };

/** What a token says about its bearer, or why it is refused. */
export type TokenVerdict =
  | { readonly kind: 'accepted'; readonly user: User; readonly audiences: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

type NamedObject = { readonly name: string; readonly uid?: string };

type TokenClaims = {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly nbf: number;
  readonly iss: string;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: NamedObject;
    readonly pod?: NamedObject;
    readonly secret?: NamedObject;
    readonly node?: NamedObject;
  };
};

export type TokenOptions = {
  readonly store: ReadableStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly random: Random;
  readonly issuer: TokenIssuer;
  /** PEM; a new key without one. */
  readonly key?: string;
};

/** A pod that mounts such a token gets one that lasts longer than it says, for clients that never read it again. */
const renewedSeconds = 3607;
const extendedMs = seconds(365 * 24 * 3600);
/** Tokens of an object that is being deleted are good for a minute after its time. */
const leewayMs = seconds(60);

/** Issues and verifies the signed tokens of service accounts. */
export class ServiceAccountTokens {
  readonly issuer: TokenIssuer;
  readonly #options: TokenOptions;
  readonly #key: SigningKey;

  constructor(options: TokenOptions) {
    this.#options = options;
    this.issuer = options.issuer;
    this.#key = new SigningKey(options.key);
  }

  issue({ account, audiences, expirationSeconds, bound, node }: WantedToken): IssuedToken {
    const now = this.#options.clock.now();
    const { name, namespace = '', uid } = account.metadata;
    const asked = instant(now + seconds(expirationSeconds));
    const isExtended =
      expirationSeconds === renewedSeconds && bound?.kind === 'Pod' && audiences.includes(this.issuer.audience);
    const about = bound && { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } };
    const token = this.#key.sign({
      aud: audiences,
      exp: inSeconds(isExtended ? instant(now + extendedMs) : asked),
      iat: inSeconds(now),
      iss: this.issuer.issuer,
      jti: this.#options.random.uuid(),
      'kubernetes.io': {
        namespace,
        ...(node && { node }),
        ...about,
        serviceaccount: { name, uid },
        ...(isExtended && { warnafter: inSeconds(asked) }),
      },
      nbf: inSeconds(now),
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
    return { token, expiresAt: asked };
  }

  /**
   * Verifies a token for some audiences.
   * @returns undefined for a text that is no token of this cluster
   */
  verify(token: string, wanted: readonly string[] = [this.issuer.audience]): TokenVerdict | undefined {
    const claims = this.#key.read(token) as TokenClaims | undefined;
    if (claims === undefined || claims.iss !== this.issuer.issuer) return undefined;
    const audiences = claims.aud.filter((audience) => wanted.includes(audience));
    if (audiences.length === 0) {
      const [held, asked] = [claims.aud, wanted].map(
        (list) => `[${list.map((each) => JSON.stringify(each)).join(' ')}]`,
      );
      return { kind: 'refused', reason: `token audiences ${held} is invalid for the target audiences ${asked}` };
    }
    const reason = this.#staleReason(claims);
    return reason === undefined
      ? { kind: 'accepted', user: userOfClaims(claims), audiences }
      : { kind: 'refused', reason };
  }

  /** The claims of a token that this cluster signed, for others who trust its issuer. They say when it expires. */
  readClaims(token: string): Readonly<Record<string, unknown>> | undefined {
    return this.#key.read(token);
  }

  /** The document of OpenID discovery. */
  discovery(serverUrl: string): Readonly<Record<string, unknown>> {
    return {
      issuer: this.issuer.issuer,
      jwks_uri: `${serverUrl}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [signingAlgorithm],
    };
  }

  keySet(): Readonly<Record<string, unknown>> {
    return this.#key.keySet();
  }

  #staleReason({ exp, nbf, 'kubernetes.io': about }: TokenClaims): string | undefined {
    const now = this.#options.clock.now();
    if (exp <= inSeconds(now)) return 'service account token has expired';
    if (nbf > inSeconds(now)) return 'service account token is not valid yet';
    const { namespace, serviceaccount, pod, secret, node } = about;
    const gone =
      !this.#isThere('serviceaccounts', namespace, serviceaccount) ||
      (pod !== undefined && !this.#isThere('pods', namespace, pod)) ||
      (secret !== undefined && !this.#isThere('secrets', namespace, secret)) ||
      (node !== undefined && pod === undefined && !this.#isThere('nodes', '', node));
    return gone ? 'service account token has been invalidated' : undefined;
  }

  #isThere(collection: string, namespace: string, { name, uid }: NamedObject): boolean {
    const { store, clock } = this.#options;
    const found = store.collection(collection).get({ namespace, name });
    if (found === undefined || (uid !== undefined && found.metadata.uid !== uid)) return false;
    const { deletionTimestamp } = found.metadata;
    return deletionTimestamp === undefined || clock.now() < fromTimestamp(deletionTimestamp) + leewayMs;
  }
}

const inSeconds = (at: Instant): number => Math.floor(at / 1000);

const extraPrefix = 'authentication.kubernetes.io/';

function userOfClaims({ jti, 'kubernetes.io': { namespace, serviceaccount, pod, node } }: TokenClaims): User {
  const extra = {
    'credential-id': [`JTI=${jti}`],
    ...(node && { 'node-name': [node.name], ...(node.uid !== undefined && { 'node-uid': [node.uid] }) }),
    ...(pod && { 'pod-name': [pod.name], ...(pod.uid !== undefined && { 'pod-uid': [pod.uid] }) }),
  };
  return {
    name: `system:serviceaccount:${namespace}:${serviceaccount.name}`,
    ...(serviceaccount.uid !== undefined && { uid: serviceaccount.uid }),
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
    extra: Object.fromEntries(Object.entries(extra).map(([name, values]) => [`${extraPrefix}${name}`, values])),
  };
}
