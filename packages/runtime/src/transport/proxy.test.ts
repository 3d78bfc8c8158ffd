import { expect, test } from 'vitest';
import { proxyFor } from './proxy.ts';

const both = { HTTPS_PROXY: 'http://secure.proxy:3128', HTTP_PROXY: 'http://plain.proxy:3128' };
const chosen = (environment: Readonly<Record<string, string>>, host = 'ec2.us-east-1.amazonaws.com', port = 443) =>
  proxyFor({ protocol: port === 80 ? 'http:' : 'https:', host, port }, environment)?.host;

test.each([
  ['none where nothing is set', {}, 443, undefined],
  ['that of https', both, 443, 'secure.proxy:3128'],
  ['that of http', both, 80, 'plain.proxy:3128'],
  ['none of the other scheme', { HTTP_PROXY: 'http://plain.proxy:1' }, 443, undefined],
  ['the one in lower case first', { ...both, https_proxy: 'http://lower.proxy:1' }, 443, 'lower.proxy:1'],
  ['one that is told without a scheme', { HTTPS_PROXY: 'secure.proxy:3128' }, 443, 'secure.proxy:3128'],
  ['one behind TLS', { HTTPS_PROXY: 'https://secure.proxy' }, 443, 'secure.proxy'],
  ['none where it is empty', { HTTPS_PROXY: '' }, 443, undefined],
])('the proxy is %s', (_fact, environment, port, proxy) => {
  expect(chosen(environment, undefined, port)).toBe(proxy);
});

test.each([
  ['a name', 'amazonaws.com', 'ec2.us-east-1.amazonaws.com', true],
  ['the name itself', 'amazonaws.com', 'amazonaws.com', true],
  ['no other name that ends so', 'aws.com', 'myaws.com', false],
  ['a suffix', '.amazonaws.com', 'sqs.amazonaws.com', true],
  ['not the suffix itself', '.amazonaws.com', 'amazonaws.com', false],
  ['a suffix with a star', '*.amazonaws.com', 'sqs.amazonaws.com', true],
  ['any letter case', 'AmazonAWS.com', 'SQS.amazonaws.COM', true],
  ['everything', '*', 'anything.invalid', true],
  ['one of several', 'a.b, .internal ,169.254.169.254', '169.254.169.254', true],
  ['a network', '10.0.0.0/8', '10.100.0.1', true],
  ['no address outside of a network', '10.0.0.0/8', '11.0.0.1', false],
  ['no name because of a network', '10.0.0.0/8', 'ten.invalid', false],
  ['an IPv6 network', 'fd00::/8', 'fd00:10::1', true],
  ['an IPv6 address', 'fd00:10::1', 'fd00:10::1', true],
  ['a name with its port', 'a.b:443', 'a.b', true],
  ['no other port', 'a.b:8443', 'a.b', false],
  ['nothing for a broken network', '10.0.0.0/99', '10.0.0.1', false],
  ['nothing where it is empty', '', 'a.b', false],
])('NO_PROXY excludes %s', (_fact, excluded, host, isExcluded) => {
  expect(chosen({ ...both, NO_PROXY: excluded }, host) === undefined).toBe(isExcluded);
});

test.each(['localhost', '127.0.0.1', '127.1.2.3', '::1', 'api.localhost'])('%s is never proxied', (host) => {
  expect(chosen(both, host)).toBeUndefined();
});

test('a proxy of another kind is an error that keeps its password', () => {
  expect(() => chosen({ HTTPS_PROXY: 'socks5://me:secret@proxy:1080' })).toThrow(
    'the proxy socks5://proxy:1080 is no http or https URL',
  );
});
