import { validateLetterLabel } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkEachText, validateNamed } from './checks.ts';

export const acceptedReviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** Where a webhook is reached: a URL or a service. */
export function webhookClientCauses(config: JsonValue | undefined, field: string): Cause[] {
  const [url, service] = [memberOf(config, 'url'), memberOf(config, 'service')];
  if ((url === undefined) === (service === undefined))
    return [requiredCause(field, 'exactly one of url or service is required')];
  if (typeof url === 'string') return urlCauses(url, `${field}.url`);
  return isObject(service) ? webhookServiceCauses(service, `${field}.service`) : [];
}

function urlCauses(text: string, field: string): Cause[] {
  const form = '; desired format: https://host[/path]';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1] ?? '';
  return [
    ...(scheme === 'https' ? [] : [invalidCause(field, scheme, `'https' is the only allowed URL scheme${form}`)]),
    ...((url?.host ?? '') === '' ? [invalidCause(field, url?.host ?? '', `host must be specified${form}`)] : []),
    ...((url?.username ?? '') === ''
      ? []
      : [invalidCause(field, url?.username ?? '', 'user information is not permitted in the URL')]),
    ...((url?.hash ?? '') === ''
      ? []
      : [invalidCause(field, url?.hash.slice(1) ?? '', 'fragments are not permitted in the URL')]),
    ...((url?.search ?? '') === ''
      ? []
      : [invalidCause(field, url?.search.slice(1) ?? '', 'query parameters are not permitted in the URL')]),
  ];
}

const webhookServiceCauses = (service: JsonObject, field: string): Cause[] => {
  const { port = 443 } = service;
  return [
    ...(jsonTextAt(service, 'name') === '' ? [requiredCause(`${field}.name`, 'service name is required')] : []),
    ...(jsonTextAt(service, 'namespace') === ''
      ? [requiredCause(`${field}.namespace`, 'service namespace is required')]
      : []),
    ...(typeof port === 'number' && (port < 1 || port > 65_535)
      ? [invalidCause(`${field}.port`, port, 'port is not valid: must be between 1 and 65535, inclusive')]
      : []),
  ];
};

/** The versions of reviews that a webhook reads: one known one at least. */
export function reviewVersionCauses(versions: JsonValue | undefined, field: string): Cause[] {
  const seen = new Set<string>();
  const problems = checkEachText(versions, field, (version, place) => {
    if (seen.has(version)) return [invalidCause(place, version, 'duplicate version')];
    seen.add(version);
    return validateNamed(place, version, validateLetterLabel);
  });
  return acceptedReviewVersions.some((version) => seen.has(version))
    ? problems
    : [
        ...problems,
        invalidCause(field, versions ?? null, `must include at least one of ${acceptedReviewVersions.join(', ')}`),
      ];
}
