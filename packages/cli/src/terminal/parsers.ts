/** Values on the command line, parsed where they come in: each refuses with the value and what would be right. */
import { isAge, parseAge } from '@nodewright/apis';

export const positiveNumber = (text: string): number => {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new Error(`must be a number above 0, not "${text}"`);
  return value;
};

export const parseWholeNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value) || value < 0) {
    throw new Error(`must be a whole number from 0, not "${text}"`);
  }
  return value;
};

export const parseCount = (text: string): number => {
  const value = parseWholeNumber(text);
  if (value === 0) throw new Error(`must be at least 1, not "${text}"`);
  return value;
};

export const parsePort = (text: string): number => {
  const value = parseWholeNumber(text);
  if (value > 65_535) throw new Error(`must be a port from 0 to 65535 (0: any free one), not "${text}"`);
  return value;
};

export const kubernetesMinor = (text: string): string => {
  if (!/^1\.\d{1,2}$/.test(text)) throw new Error(`must be a Kubernetes minor version such as 1.29, not "${text}"`);
  return text;
};

/** In milliseconds. */
export function parsePeriod(text: string): number {
  if (!isAge(text)) throw new Error(`must be a duration such as 30m, 24h or 10d, not "${text}"`);
  return parseAge(text);
}

const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** RFC 3339, as milliseconds since the epoch. Without a zone it would be another time on another machine. */
export const parseTimestamp = (text: string): number => {
  const value = Date.parse(text);
  if (!timestampForm.test(text) || Number.isNaN(value)) {
    throw new Error(`must be a time such as 2024-01-28T16:00:00Z, not "${text}"`);
  }
  return value;
};

export const parseDeploymentName = (text: string): string => {
  if (!/^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/.test(text)) {
    throw new Error(`must be a namespace and a name such as kube-system/karpenter, not "${text}"`);
  }
  return text;
};

/** `karpenter/karpenter-conversion`. */
export function parseConversionService(text: string): { readonly namespace: string; readonly name: string } {
  const [, namespace = '', name = ''] = /^([a-z0-9-]{1,63})\/([a-z][a-z0-9-]{0,62})$/.exec(text) ?? [];
  if (name !== '') return { namespace, name };
  throw new Error(
    `must be the namespace and the Service of a webhook such as karpenter/karpenter-conversion, not "${text}"`,
  );
}

export const parseRegion = (text: string): string => {
  if (!/^[a-z]{2}(-[a-z]+)+-\d$/.test(text)) throw new Error(`must be an AWS region such as us-east-1, not "${text}"`);
  return text;
};

/** `us-east-1a,us-east-1b`, and local zones such as `us-east-1-bos-1a`. */
export const parseZones = (text: string): readonly string[] => {
  const names = text.split(',');
  const wrong = names.find((name) => !/^[a-z]{2}(-[a-z]+)+-\d(-[a-z]{3}-\d)?[a-z]$/.test(name));
  if (wrong !== undefined)
    throw new Error(`must be zone names such as us-east-1a separated by commas; "${wrong}" is none`);
  if (new Set(names).size !== names.length) throw new Error(`names a zone twice: "${text}"`);
  return names;
};

/** `host.docker.internal,sandbox.test`. */
export const hostNames = (text: string): readonly string[] => {
  const names = text.split(',');
  const wrong = names.find((name) => !/^(?:[a-zA-Z0-9_][a-zA-Z0-9._-]*|\[[0-9a-fA-F:.]+\])$/.test(name));
  if (wrong !== undefined)
    throw new Error(`must be host names or addresses without ports, separated by commas; "${wrong}" is none`);
  return names;
};

export const dnsName = (text: string): string => {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9-]{0,99}$/.test(text)) {
    throw new Error(`must be letters, digits and dashes, at most 100, not "${text}"`);
  }
  return text;
};

/** `app=web,tier=front`. */
export const parsePodLabels = (text: string): Readonly<Record<string, string>> => {
  const pairs = text.split(',').map((part): readonly [string, string] => {
    const [, key, value] = /^([^=\s]+)=([^=\s]*)$/.exec(part) ?? [];
    if (key === undefined || value === undefined)
      throw new Error(`must be labels such as app=web, separated by commas, not "${text}"`);
    return [key, value];
  });
  return Object.fromEntries(pairs);
};

/** A text as it was typed. */
export const parsePlainText = (value: string): string => value;

export const parseAccountId = (text: string): string => {
  if (!/^\d{12}$/.test(text)) throw new Error(`must be an AWS account of twelve digits, not "${text}"`);
  return text;
};

/** A role with its path, without wildcards. */
export const parseIamName = (text: string): string => {
  if (!/^[\w+=,.@/-]{1,512}$/.test(text) || text.startsWith('/')) {
    throw new Error(`must be the name of an IAM role, with its path if it has one, not "${text}"`);
  }
  return text;
};

export const parseQueueName = (text: string): string => {
  if (!/^[\w-]{1,80}(?:\.fifo)?$/.test(text)) throw new Error(`must be the name of an SQS queue, not "${text}"`);
  return text;
};

/** The path of a parameter in the Parameter Store, with wildcards as policies have them. */
export const parseParameterPath = (text: string): string => {
  if (!/^\/?[\w./*?-]+$/.test(text))
    throw new Error(`must be the path of a parameter such as /images/*, not "${text}"`);
  return text;
};
