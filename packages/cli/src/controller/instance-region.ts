import { InputError } from '../terminal/exit-status.ts';

type RegionEnvironment = Readonly<Record<string, string | undefined>>;
type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The service answers within milliseconds or, outside of EC2, not at all. */
const metadataTimeoutMs = 1_000;

const tokenHeader = 'x-aws-ec2-metadata-token';

/**
 * The region of the EC2 instance that this process runs on, from its metadata service (IMDSv2).
 *
 * Guarantees: it ends within two seconds. The usual variables hold: `AWS_EC2_METADATA_DISABLED`,
 * `AWS_EC2_METADATA_SERVICE_ENDPOINT`, `AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE`.
 *
 * Errors: an `InputError` that says what to set, when the service does not tell a region.
 */
export async function regionOfInstance(environment: RegionEnvironment, request: Fetch = fetch): Promise<string> {
  if (environment['AWS_EC2_METADATA_DISABLED']?.toLowerCase() === 'true')
    throw noRegion('AWS_EC2_METADATA_DISABLED is set');
  const endpoint = metadataEndpoint(environment);
  const ask = async (path: string, init: RequestInit): Promise<string> => {
    const response = await request(new URL(path, endpoint).href, {
      ...init,
      signal: AbortSignal.timeout(metadataTimeoutMs),
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}`);
    return (await response.text()).trim();
  };
  let region: string;
  try {
    const token = await ask('/latest/api/token', {
      method: 'PUT',
      headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
    });
    region = await ask('/latest/meta-data/placement/region', { method: 'GET', headers: { [tokenHeader]: token } });
  } catch (failure) {
    throw noRegion(`the instance metadata service at ${endpoint} tells none: ${reasonOf(failure)}`, failure);
  }
  if (!/^[a-z]{2,}(?:-[a-z]+)+-\d+$/.test(region))
    throw noRegion(`the instance metadata service at ${endpoint} tells ${JSON.stringify(region.slice(0, 40))}`);
  return region;
}

function metadataEndpoint(environment: RegionEnvironment): string {
  const named = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT'];
  if (named !== undefined && named !== '') return named;
  const isIpv6 = environment['AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE']?.toLowerCase() === 'ipv6';
  return isIpv6 ? 'http://[fd00:ec2::254]' : 'http://169.254.169.254';
}

/** `fetch` hides the reason in the cause. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  if (failure.name === 'TimeoutError') return `no answer within ${metadataTimeoutMs / 1_000} s`;
  return failure.cause instanceof Error ? failure.cause.message : failure.message;
}

const noRegion = (why: string, cause?: unknown): InputError =>
  new InputError(`no AWS region: set AWS_REGION, or a profile that names one; ${why}`, { cause });
