import { realTime, type RequestHandler, type ScaledTime } from '@nodewright/runtime';
import type { Aws } from '@nodewright/aws-endpoints';
import { controlApiHandler, refuseForeignRequests, requireToken } from '@nodewright/sandbox';
import type { ClientCredentials } from './client-credentials.ts';

export type OutsideOptions = {
  readonly credentials: Pick<ClientCredentials, 'controlToken' | 'tokenFile'>;
  /** Names beside the loopback ones under which clients reach the ports. */
  readonly allowedHosts?: readonly string[];
};

/** The AWS endpoints for clients outside this process: signed requests, and none of a web page. */
export const awsForClients = (aws: Aws, allowedHosts: readonly string[] = []): RequestHandler =>
  refuseForeignRequests(aws.handleSigned, allowedHosts);

/** The control API for clients outside this process: requests with its token, and none of a web page. */
export function controlForClients(
  what: { readonly time: ScaledTime; readonly aws: Aws },
  { credentials, allowedHosts = [] }: OutsideOptions,
): RequestHandler {
  const { controlToken: token, tokenFile: file } = credentials;
  const handle = controlApiHandler({ ...what, callersClock: realTime().clock });
  return refuseForeignRequests(requireToken(handle, { token, file }), allowedHosts);
}
