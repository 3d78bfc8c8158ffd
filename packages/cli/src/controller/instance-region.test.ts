import { describe, expect, test } from 'vitest';
import { regionOfInstance } from './instance-region.ts';

type Asked = { readonly url: string; readonly method: string | undefined; readonly headers: unknown };

/** A metadata service of version 2, and what it was asked. */
function aService(answer: (url: string) => Response | Error) {
  const asked: Asked[] = [];
  const request = async (url: string, { method, headers, signal }: RequestInit): Promise<Response> => {
    expect(signal).toBeInstanceOf(AbortSignal);
    asked.push({ url, method, headers });
    const given = answer(url);
    if (given instanceof Error) throw given;
    return given;
  };
  return { asked, request };
}

const telling = (region: string) => (url: string) => new Response(url.endsWith('/token') ? 'secret' : region);
const timedOut = Object.assign(new Error('aborted'), { name: 'TimeoutError' });

describe('the region of an instance', () => {
  test('is told for a token', async () => {
    const { asked, request } = aService(telling('eu-central-1'));
    expect(await regionOfInstance({}, request)).toBe('eu-central-1');
    expect(asked).toEqual([
      {
        url: 'http://169.254.169.254/latest/api/token',
        method: 'PUT',
        headers: { 'x-aws-ec2-metadata-token-ttl-seconds': '60' },
      },
      {
        url: 'http://169.254.169.254/latest/meta-data/placement/region',
        method: 'GET',
        headers: { 'x-aws-ec2-metadata-token': 'secret' },
      },
    ]);
  });

  test.each([
    [{ AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://127.0.0.1:1338' }, 'http://127.0.0.1:1338/'],
    [{ AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE: 'IPv6' }, 'http://[fd00:ec2::254]/'],
  ])('is asked for where %j says', async (environment, where) => {
    const { asked, request } = aService(telling('us-gov-west-1'));
    expect(await regionOfInstance(environment, request)).toBe('us-gov-west-1');
    expect(asked.every(({ url }) => url.startsWith(where))).toBe(true);
  });

  test.each([
    ['nothing answers', () => timedOut, /169\.254\.169\.254 tells none: no answer within 1 s/],
    [
      'there is no way to it',
      () => new Error('fetch failed', { cause: new Error('EHOSTUNREACH') }),
      /tells none: EHOSTUNREACH/,
    ],
    ['tokens are refused', () => new Response('no', { status: 403 }), /latest\/api\/token answers 403/],
    ['another service answers', telling('<html>'), /tells "<html>"/],
  ])('is an error that says what to set where %s', async (_fact, answer, message) => {
    const { request } = aService(answer);
    await expect(regionOfInstance({}, request)).rejects.toThrow(message);
    await expect(regionOfInstance({}, request)).rejects.toThrow(/^no AWS region: set AWS_REGION/);
  });

  test('is not asked for where the service is switched off', async () => {
    const { asked, request } = aService(telling('us-east-1'));
    await expect(regionOfInstance({ AWS_EC2_METADATA_DISABLED: 'true' }, request)).rejects.toThrow(
      'AWS_EC2_METADATA_DISABLED is set',
    );
    expect(asked).toEqual([]);
  });
});
