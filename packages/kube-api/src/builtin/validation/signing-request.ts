import { type Cause, duplicateCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { validateSubdomain } from '../../schema/metadata/names.ts';
import { checkEachText, lengthOfList, validateNamed } from './checks.ts';

const keyUsages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];

const shortestSeconds = 600;

/** The problems of a CertificateSigningRequest. */
export function signingRequestCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  if (old !== undefined) return [];
  const spec = memberOf(object, 'spec');
  const request = jsonTextAt(spec, 'request');
  const problem = requestProblem(request);
  const seconds = memberOf(spec, 'expirationSeconds');
  return [
    ...(problem === undefined ? [] : [invalidCause('spec.request', request, problem)]),
    ...(lengthOfList(memberOf(spec, 'usages')) === 0 ? [requiredCause('spec.usages')] : []),
    ...usageCauses(memberOf(spec, 'usages')),
    ...signerCauses(jsonTextAt(spec, 'signerName')),
    ...(typeof seconds === 'number' && seconds < shortestSeconds
      ? [
          invalidCause(
            'spec.expirationSeconds',
            seconds,
            `may not specify a duration less than ${shortestSeconds} seconds (10 minutes)`,
          ),
        ]
      : []),
  ];
}

function usageCauses(usages: JsonValue | undefined): Cause[] {
  const seen = new Set<string>();
  return checkEachText(usages, 'spec.usages', (usage, field) => {
    const isRepeated = seen.has(usage);
    seen.add(usage);
    return [
      ...(keyUsages.includes(usage) ? [] : [notSupportedCause(field, usage, keyUsages)]),
      ...(isRepeated ? [duplicateCause(field, usage)] : []),
    ];
  });
}

/** What is wrong with the PEM text of a request; the signature of what it contains is not checked. */
function requestProblem(request: string): string | undefined {
  const text = Buffer.from(request, 'base64').toString('latin1');
  const block = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/.exec(text);
  if (block?.[1] !== 'CERTIFICATE REQUEST' || !/^[A-Za-z0-9+/=\s]*$/.test(block[2] ?? ''))
    return 'PEM block type must be CERTIFICATE REQUEST';
  const body = (block[2] ?? '').replaceAll(/\s/g, '');
  const bytes = Buffer.from(body, 'base64');
  // A request is one sequence that ends where the text does.
  return isWholeSequence(bytes) ? undefined : 'asn1: structure error: malformed certificate request';
}

/** Whether bytes are one DER sequence, of three parts, without anything after it. */
function isWholeSequence(bytes: Uint8Array): boolean {
  const outer = readDerPart(bytes, 0);
  if (outer === undefined || bytes[0] !== 0x30 || outer.end !== bytes.length) return false;
  let [at, parts] = [outer.start, 0];
  while (at < outer.end) {
    const part = readDerPart(bytes, at);
    if (part === undefined || part.end > outer.end) return false;
    at = part.end;
    parts += 1;
  }
  return parts === 3;
}

function readDerPart(bytes: Uint8Array, at: number): { readonly start: number; readonly end: number } | undefined {
  const first = bytes[at + 1];
  if (first === undefined) return undefined;
  if (first < 0x80) return { start: at + 2, end: at + 2 + first };
  const count = first - 0x80;
  if (count === 0 || count > 3 || at + 2 + count > bytes.length) return undefined;
  const length = bytes.subarray(at + 2, at + 2 + count).reduce((sum, byte) => sum * 256 + byte, 0);
  return { start: at + 2 + count, end: at + 2 + count + length };
}

function signerCauses(name: string): Cause[] {
  const field = 'spec.signerName';
  if (name === '') return [requiredCause(field)];
  const [domain = '', path, ...more] = name.split('/');
  if (path === undefined || more.length > 0)
    return [
      invalidCause(field, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'"),
    ];
  return [
    ...validateNamed(field, domain, validateSubdomain),
    ...(domain.includes('.')
      ? []
      : [invalidCause(field, domain, 'should be a domain with at least two segments separated by dots')]),
    ...path.split('.').flatMap((part) => validateNamed(field, part, validateSubdomain)),
  ];
}
