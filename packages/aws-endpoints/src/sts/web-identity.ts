import type { Instant } from '@nodewright/apis';
import { iamArnOf, type AwsAccount } from '../account.ts';
import type { ConditionContext } from '../authorization/iam-policy.ts';
import { AwsError } from '../codec/aws-error.ts';
import type { OidcProvider } from '../iam/oidc-provider.ts';

/** The claims of a token whose signature is valid. */
export type WebIdentityClaims = Readonly<Record<string, unknown>>;

/** Reads a web identity token. `undefined` when no known issuer signed it. */
export type ReadWebIdentity = (token: string) => WebIdentityClaims | undefined;

/** Whom a token stands for, to the trust policy of a role. */
export type WebIdentity = {
  readonly subject: string;
  readonly audience: string;
  readonly issuer: string;
  readonly providerArn: string;
  readonly context: ConditionContext;
};

type WebIdentityWorld = {
  readonly account: AwsAccount;
  readonly providers: ReadonlyMap<string, OidcProvider>;
  /** In the time of the issuer. */
  readonly now: Instant;
};

/**
 * Holds a token against the identity providers of the account.
 * @param claims those of the token; `undefined` when its signature is not valid
 * @throws AwsError in the words of STS
 */
export function checkWebIdentity(
  claims: WebIdentityClaims | undefined,
  { account, providers, now }: WebIdentityWorld,
): WebIdentity {
  if (claims === undefined) throw invalidToken("Couldn't verify the signature of the token");
  const {
    iss: issuer = '',
    sub: subject = '',
    exp = 0,
  } = claims as {
    readonly iss?: string;
    readonly sub?: string;
    readonly exp?: number;
  };
  const audiences = [claims['aud'] ?? []].flat().map(String);
  const host = issuer.replace(/^https:\/\//, '');
  const providerArn = iamArnOf(account, `oidc-provider/${host}`);
  const provider = providers.get(providerArn);
  if (provider === undefined) throw invalidToken(`No OpenIDConnect provider found in your account for ${issuer}`);
  const audience = audiences.find((each) => provider.clientIds.includes(each));
  if (audience === undefined) throw invalidToken('Incorrect token audience');
  if (exp * 1000 <= now) throw expiredToken(now, exp);
  const context = new Map([
    [`${host}:sub`.toLowerCase(), [subject]],
    [`${host}:aud`.toLowerCase(), [audience]],
  ]);
  return { subject, audience, issuer, providerArn, context };
}

const invalidToken = (message: string): AwsError => new AwsError('InvalidIdentityToken', message, { status: 400 });

const expiredToken = (now: Instant, exp: number): AwsError =>
  new AwsError(
    'ExpiredTokenException',
    `Token expired: current date/time ${Math.floor(now / 1000)} must be before the expiration date/time ${exp}`,
    { status: 400 },
  );
