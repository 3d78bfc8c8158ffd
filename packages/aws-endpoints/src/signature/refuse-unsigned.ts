import type { HttpRequest } from '@nodewright/runtime';
import type { AwsError } from '../codec/aws-error.ts';
import { splitPath, decodeBodyText } from '../codec/protocol.ts';
import type { ServiceName } from '../service.ts';
import { refuseSignature } from './signature-refusal.ts';
import { type Verification, verifySignature } from './verify-signature.ts';

/** Refuses every request that is not signed with the account's key, except the requests that AWS takes unsigned. */
export const refuseUnsigned =
  (verification: () => Verification) =>
  (service: ServiceName, request: HttpRequest): AwsError | undefined => {
    const problem = verifySignature(request, verification());
    if (problem === undefined) return undefined;
    if (problem.kind === 'absent' && service === 'sts' && provesItself(request)) return undefined;
    return refuseSignature(service, problem);
  };

/** These calls carry a proof of their own: a web identity token or a SAML assertion. */
const provesItself = (request: HttpRequest): boolean =>
  /(?:^|&)Action=AssumeRoleWith(?:WebIdentity|SAML)(?:&|$)/.test(
    request.method === 'GET' ? splitPath(request.path).query : decodeBodyText(request.body),
  );
