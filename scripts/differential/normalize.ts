import { byTextOf } from '@nodewright/apis';
import { isMap, type Json } from './step.ts';

/** What no two servers have in common, whatever else they do alike. */
const volatile: Readonly<Record<string, string>> = {
  uid: 'UID',
  resourceVersion: 'VERSION',
  continue: 'TOKEN',
  token: 'TOKEN',
  clusterIP: 'ADDRESS',
  nodePort: 'PORT',
  healthCheckNodePort: 'PORT',
  hash: 'HASH',
  storageVersionHash: 'HASH',
  // Which build answers GET /version.
  gitVersion: 'BUILD',
  gitCommit: 'BUILD',
  buildDate: 'BUILD',
  goVersion: 'BUILD',
  serverAddress: 'ADDRESS',
};

/** Lists whose order is no promise, or depends on the second of a write. */
const unordered = new Set([
  'managedFields',
  'serverAddressByClientCIDRs',
  'resourceRules',
  'nonResourceRules',
  'resources',
]);

const generatedSuffix = /-[bcdfghjklmnpqrstvwxz2-9]{5}$/;

/** A JSON text as a value, with whole numbers that a double cannot hold as texts. */
export function parseAnswer(text: string): Json {
  try {
    return JSON.parse(
      text.replaceAll(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?=\s*[,}\]])/g, (part) =>
        part.startsWith('"') ? part : `"@int:${part}"`,
      ),
    ) as Json;
  } catch {
    return text.trim();
  }
}

/** An answer without identities, versions, times and the word of its run. */
export const normalizeAnswer = (answer: Json, run: string): Json => masked(answer, '', run);

function masked(value: Json, member: string, run: string): Json {
  if (Array.isArray(value)) {
    const list = (value as readonly Json[]).map((inner) => masked(inner, member, run));
    return unordered.has(member) ? list.toSorted(byTextOf((each) => JSON.stringify(each))) : list;
  }
  if (isMap(value)) return maskedMap(value, run);
  const mask = Object.hasOwn(volatile, member) ? volatile[member] : undefined;
  if (
    mask !== undefined &&
    (typeof value === 'string' || typeof value === 'number') &&
    !/^(None|)$/.test(String(value)) &&
    value !== 0
  )
    return mask;
  return typeof value === 'string' ? maskedText(value, member, run) : value;
}

function maskedMap(map: { readonly [name: string]: Json }, run: string): Json {
  const { name, generateName, ...others } = map;
  const isGenerated = typeof generateName === 'string' && typeof name === 'string';
  return Object.fromEntries(
    Object.entries(map).map(([member, inner]) => [
      member.replaceAll(run, 'RUN'),
      member === 'gitTreeState' && 'gitVersion' in others
        ? 'BUILD'
        : member === 'name' && isGenerated
          ? name.replace(generatedSuffix, '-NAME')
          : masked(inner, member, run),
    ]),
  );
}

function maskedText(text: string, member: string, run: string): string {
  if (member === 'clusterIPs') return text === 'None' ? text : 'ADDRESS';
  return (
    text
      .replaceAll(run, 'RUN')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
      .replaceAll(/\b20(?:2[6-9]|[3-9]\d)-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, (time) =>
        time.startsWith('2026-01-01') ? time : 'TIME',
      )
      .replaceAll(/\bg-[bcdfghjklmnpqrstvwxz2-9]{5}\b/g, 'g-NAME')
      .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-NAME')
      .replaceAll(/current: \d+/g, 'current: VERSION')
      // The same version as in JSON, in a document that came as YAML.
      .replaceAll(/^( *resourceVersion: )"\d+"$/gm, '$1VERSION')
      .replaceAll(/the ResourceVersion in record \(\d+\)/g, 'the ResourceVersion in record (VERSION)')
      // Descriptions are in words of our own, and this is a digest of them.
      .replaceAll(/\?hash=[0-9A-F]{128}/g, '?hash=HASH')
      .replaceAll(/\b10\.100\.(?!7\.7)\d+\.\d+\b/g, 'ADDRESS')
      .replaceAll(/X509SHA256=[0-9a-f]+/g, 'X509SHA256=CERTIFICATE')
      .replaceAll(/in scheme "[^"]*"/g, 'in scheme SCHEME')
      .replace(/^\d+[smh](?:\d+s)?$/, 'AGE')
      .replace(/^eyJ[\w.-]+$/, 'TOKEN')
  );
}
