import { EC2Client } from '@aws-sdk/client-ec2';
import type { Instant } from '@nodewright/apis';
import { HttpRequest } from '@smithy/core/transport';
import type { AccessKey } from '@nodewright/aws-endpoints';
import { testAccessKey } from './test-account.ts';

type Presigned = {
  readonly at: Instant;
  /** Empty: the request names none. */
  readonly clusterName?: string;
  readonly accessKey?: AccessKey & { readonly sessionToken?: string };
  readonly action?: string;
};

/** A token as `aws eks get-token` makes it, presigned by the SDK. */
export async function presignToken({ at, accessKey = testAccessKey, ...options }: Presigned): Promise<string> {
  const { clusterName = 'my-cluster', action = 'GetCallerIdentity' } = options;
  const { config } = new EC2Client({ region: 'us-east-1', credentials: accessKey });
  const signer = await config.signer({
    name: 'sigv4',
    signingName: 'sts',
    signingRegion: 'us-east-1',
    properties: {},
  });
  const hostname = 'sts.us-east-1.amazonaws.com';
  const request = new HttpRequest({
    method: 'GET',
    protocol: 'https:',
    hostname,
    path: '/',
    query: { Action: action, Version: '2011-06-15' },
    headers: { host: hostname, ...(clusterName !== '' && { 'x-k8s-aws-id': clusterName }) },
  });
  const signed = await (signer as unknown as Presigner).presign(request, {
    expiresIn: 60,
    signingDate: new Date(at),
    unhoistableHeaders: new Set(['x-k8s-aws-id']),
  });
  const query = new URLSearchParams(signed.query as Record<string, string>);
  return `k8s-aws-v1.${Buffer.from(`https://${hostname}/?${query.toString()}`).toString('base64url')}`;
}

type Presigner = { presign(request: HttpRequest, options: object): Promise<HttpRequest> };
