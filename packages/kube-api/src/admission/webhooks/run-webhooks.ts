import { badRequestError, StatusError } from '../../http/status-error.ts';
import { applyJsonPatch } from '../../patch/json-patch.ts';
import { asApiObject, asJson, fillDefaults, pruneObject } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import { isEqualJson } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView, WriteAttributes } from '../attributes.ts';
import { checkConditions } from '../matching/conditions.ts';
import { expressionVariables } from '../matching/expressions.ts';
import { convertObject, isExempt, matchedResource } from '../matching/match.ts';
import { PendingWebhooks, type WebhookRequest } from '../webhook-calls.ts';
import { type ConfiguredWebhook, listWebhooks, type Webhook } from './webhook-objects.ts';
import { unreachableService } from '../webhook-target.ts';
import { readWebhookAnswer, webhookRequest, type WebhookVerdict } from './webhook-review.ts';

/** Which webhooks were called for a write, and what the object was after each of them. */
export class WebhookTurns {
  readonly #after = new Map<string, ApiObject>();

  /** Whether a webhook wants to see the object again, because others have changed it since. */
  wantsAgain({ configuration, webhook }: ConfiguredWebhook, object: ApiObject): boolean {
    const seen = this.#after.get(`${configuration}/${webhook.name}`);
    if (seen === undefined) return false;
    return webhook.reinvocationPolicy === 'IfNeeded' && !isEqualJson(asJson(seen), asJson(object));
  }

  note({ configuration, webhook }: ConfiguredWebhook, object: ApiObject): void {
    this.#after.set(`${configuration}/${webhook.name}`, object);
  }
}

/**
 * Lets the mutating webhooks change the object, one after the other. In a second pass only those are called that want to
 * see the object again.
 */
export function mutateByWebhooks(
  attributes: WriteAttributes,
  view: AdmissionView,
  turns: WebhookTurns,
  pass: number,
): ApiObject {
  const webhooks = listWebhooks('mutating', view);
  if (webhooks.length === 0 || isExempt(attributes)) return attributes.object;
  return webhooks.reduce((object, configured) => {
    if (pass > 0 && !turns.wantsAgain(configured, object)) return object;
    const changed = mutateByOne(configured, { ...attributes, object }, view, pass);
    turns.note(configured, changed);
    return changed;
  }, attributes.object);
}

function mutateByOne(
  configured: ConfiguredWebhook,
  attributes: WriteAttributes,
  view: AdmissionView,
  pass: number,
): ApiObject {
  const question = questionFor(configured, attributes, view, pass);
  if (question === undefined) return attributes.object;
  const verdict = answerTo(question, view);
  if (verdict === 'pending') throw new PendingWebhooks([question.request]);
  const allowed = heed(question, verdict, attributes);
  if (allowed?.kind !== 'allowed' || allowed.patch === undefined) return attributes.object;
  const { matched } = question;
  const outcome = applyJsonPatch(asJson(convertObject(attributes.object, attributes.resource, matched)), allowed.patch);
  if (outcome.kind !== 'patched')
    throw new StatusError(500, `Internal error occurred: ${outcome.message}`, { reason: 'InternalError' });
  const { object } = pruneObject(matched, asApiObject(outcome.value));
  return fillDefaults(attributes.resource, convertObject(object, matched, attributes.resource));
}

/** Asks the mutating webhooks about a write that has no object to change. */
export function askMutatingWebhooks(attributes: AdmissionAttributes, view: AdmissionView): void {
  const webhooks = listWebhooks('mutating', view);
  if (webhooks.length === 0 || isExempt(attributes)) return;
  for (const configured of webhooks) {
    const question = questionFor(configured, attributes, view, 0);
    const verdict = question && answerTo(question, view);
    if (question === undefined || verdict === undefined) continue;
    if (verdict === 'pending') throw new PendingWebhooks([question.request]);
    heed(question, verdict, attributes);
  }
}

/** Asks the validating webhooks, all at once. */
export function validateByWebhooks(attributes: AdmissionAttributes, view: AdmissionView): void {
  const webhooks = listWebhooks('validating', view);
  if (webhooks.length === 0 || isExempt(attributes)) return;
  const questions = webhooks.flatMap((configured) => questionFor(configured, attributes, view, 0) ?? []);
  const verdicts = questions.map((question) => ({ question, verdict: answerTo(question, view) }));
  const pending = verdicts.filter(({ verdict }) => verdict === 'pending');
  if (pending.length > 0) throw new PendingWebhooks(pending.map(({ question }) => question.request));
  for (const { question, verdict } of verdicts) if (verdict !== 'pending') heed(question, verdict, attributes);
}

type WebhookQuestion = { readonly webhook: Webhook; readonly matched: Resource; readonly request: WebhookRequest };

/** The request to a webhook that is about the write; undefined when it is not. */
function questionFor(
  configured: ConfiguredWebhook,
  attributes: AdmissionAttributes,
  view: AdmissionView,
  pass: number,
): WebhookQuestion | undefined {
  const { webhook } = configured;
  const matched = matchedResource({ ...webhook, rules: webhook.rules ?? [] }, attributes, view);
  if (matched === undefined) return undefined;
  const { resource } = attributes;
  const [object, old] = [attributes.object, attributes.old].map(
    (each) => each && convertObject(each, resource, matched),
  );
  if (!isWanted(webhook, { attributes, matched, object, old }, view)) return undefined;
  refuseSideEffects(webhook, attributes);
  return { webhook, matched, request: webhookRequest(configured, attributes, { matched, object, old }, pass) };
}

type WebhookInput = Parameters<typeof expressionVariables>[0];

function isWanted(webhook: Webhook, input: WebhookInput, view: AdmissionView): boolean {
  const { matchConditions = [] } = webhook;
  if (matchConditions.length === 0) return true;
  const verdict = checkConditions(matchConditions, expressionVariables(input, view));
  if (verdict.kind !== 'error') return verdict.kind === 'hold';
  if (webhook.failurePolicy === 'Ignore') return false;
  throw new StatusError(403, `admission webhook ${JSON.stringify(webhook.name)} match conditions: ${verdict.error}`, {
    reason: 'Forbidden',
  });
}

/** A dry run calls only webhooks that say that they change nothing. */
function refuseSideEffects({ name, sideEffects = '' }: Webhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequestError(`admission webhook ${JSON.stringify(name)} does not support dry run`);
}

function answerTo({ webhook, request }: WebhookQuestion, view: AdmissionView): WebhookVerdict | 'pending' {
  const unreachable = unreachableService(webhook.clientConfig, request.url, view.store);
  if (unreachable !== undefined) return readWebhookAnswer(webhook, request, { kind: 'failed', error: unreachable });
  if (view.webhooks === undefined) return { kind: 'failed', error: 'failed to call webhook: there is no network' };
  const answer = view.webhooks.find(request);
  return answer === undefined ? 'pending' : readWebhookAnswer(webhook, request, answer);
}

/** Refuses what a webhook denies. A webhook that fails refuses, too, unless its failures are ignored. */
function heed(
  { webhook }: WebhookQuestion,
  verdict: WebhookVerdict,
  { warnings }: AdmissionAttributes,
): WebhookVerdict | undefined {
  if (verdict.kind === 'failed') {
    if (webhook.failurePolicy === 'Ignore') return undefined;
    throw failureOf(webhook.name, verdict.error);
  }
  warnings.push(...verdict.warnings);
  if (verdict.kind === 'denied') throw verdict.error;
  return verdict;
}

function failureOf(name: string, error: string): StatusError {
  const message = `failed calling webhook ${JSON.stringify(name)}: ${error}`;
  return new StatusError(500, `Internal error occurred: ${message}`, {
    reason: 'InternalError',
    details: { causes: [{ message }] },
  });
}
