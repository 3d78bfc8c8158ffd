import { takePage } from '../paging.ts';
import { eventsBadToken, badPattern, hasTargets, eventsValidationError, noSuchBus, noSuchRule } from './errors.ts';
import type { EventBus, EventRule, RuleTarget } from './event-bus.ts';
import { parsePattern } from './pattern.ts';

type OnBus = { readonly EventBusName?: string };
type NamedRuleRequest = OnBus & { readonly Name?: string };
type OfRule = OnBus & { readonly Rule?: string };
type EventsPageRequest = { readonly Limit?: number; readonly NextToken?: string };

/** There is the default bus, by its name or its ARN. */
function checkBus(bus: EventBus, { EventBusName: name }: OnBus): void {
  if (name !== undefined && name !== 'default' && name !== bus.arn) throw noSuchBus(name);
}

function findEventRule(bus: EventBus, input: OnBus, name = ''): EventRule {
  checkBus(bus, input);
  const rule = bus.find(name);
  if (rule === undefined) throw noSuchRule(name);
  return rule;
}

type PutRuleRequest = NamedRuleRequest & {
  readonly EventPattern?: string;
  readonly State?: string;
  readonly Description?: string;
  readonly ScheduleExpression?: string;
};

export function putRule(bus: EventBus, input: PutRuleRequest): object {
  const { Name: name = '', EventPattern: pattern, State: state = 'ENABLED', Description: description } = input;
  checkBus(bus, input);
  if (!/^[.\-_A-Za-z0-9]{1,64}$/.test(name))
    throw eventsValidationError(`Name ${name} is not valid: letters, digits and . - _ up to 64`);
  if (input.ScheduleExpression !== undefined)
    throw eventsValidationError('The sandbox serves rules with an event pattern only.');
  if (pattern === undefined)
    throw eventsValidationError('Parameter(s) EventPattern or ScheduleExpression must be specified.');
  if (state !== 'ENABLED' && state !== 'DISABLED')
    throw eventsValidationError(`State is ${state}, wanted ENABLED or DISABLED`);
  checkPattern(pattern);
  const targets = bus.find(name)?.targets ?? [];
  bus.keep({ name, pattern, enabled: state === 'ENABLED', targets, ...(description !== undefined && { description }) });
  return { RuleArn: bus.arnOf(name) };
}

function checkPattern(pattern: string): void {
  try {
    parsePattern(pattern);
  } catch (error) {
    throw badPattern((error as Error).message);
  }
}

const writeEventRule = (bus: EventBus, { name, pattern, enabled, description }: EventRule) => ({
  Name: name,
  Arn: bus.arnOf(name),
  EventPattern: pattern,
  State: enabled ? 'ENABLED' : 'DISABLED',
  ...(description !== undefined && { Description: description }),
  EventBusName: 'default',
});

export const describeRule = (bus: EventBus, input: NamedRuleRequest): object =>
  writeEventRule(bus, findEventRule(bus, input, input.Name));

export function listRules(bus: EventBus, input: OnBus & EventsPageRequest & { readonly NamePrefix?: string }): object {
  checkBus(bus, input);
  const named = bus.all().filter(({ name }) => name.startsWith(input.NamePrefix ?? ''));
  const { items, next } = eventsPage(named, input);
  return { Rules: items.map((rule) => writeEventRule(bus, rule)), ...next };
}

function eventsPage<T>(all: readonly T[], { Limit: size = 100, NextToken: token }: EventsPageRequest) {
  const { items, next } = takePage(all, { size, token, refuse: eventsBadToken });
  return { items, next: next === undefined ? {} : { NextToken: next } };
}

export function setEnabled(bus: EventBus, input: NamedRuleRequest, enabled: boolean): object {
  bus.keep({ ...findEventRule(bus, input, input.Name), enabled });
  return {};
}

/** A rule that is not there is deleted already. */
export function deleteRule(bus: EventBus, input: NamedRuleRequest): object {
  checkBus(bus, input);
  const { Name: name = '' } = input;
  if ((bus.find(name)?.targets.length ?? 0) > 0) throw hasTargets();
  bus.delete(name);
  return {};
}

type TargetRequest = {
  readonly Id?: string;
  readonly Arn?: string;
  readonly Input?: string;
  readonly InputPath?: string;
  readonly InputTransformer?: object;
};

export function putTargets(bus: EventBus, input: OfRule & { readonly Targets?: readonly TargetRequest[] }): object {
  const rule = findEventRule(bus, input, input.Rule);
  const added = (input.Targets ?? []).map(readRuleTarget);
  const kept = rule.targets.filter(({ id }) => !added.some((each) => each.id === id));
  if (kept.length + added.length > 5) throw eventsValidationError('A rule has five targets at most.');
  bus.keep({ ...rule, targets: [...kept, ...added] });
  return { FailedEntryCount: 0, FailedEntries: [] };
}

function readRuleTarget({ Id: id = '', Arn: arn = '', Input: input, ...reshaped }: TargetRequest): RuleTarget {
  if (id === '' || arn === '') throw eventsValidationError('Each target needs an Id and an Arn.');
  if (!/^arn:aws[\w-]*:sqs:/.test(arn))
    throw eventsValidationError(`Parameter ${arn} is not valid. Reason: the sandbox delivers to queues only.`);
  if (reshaped.InputPath !== undefined || reshaped.InputTransformer !== undefined)
    throw eventsValidationError(
      `Target ${id} is not valid. Reason: the sandbox delivers events as they are, or a constant Input.`,
    );
  return { id, arn, ...(input !== undefined && { input }) };
}

export function removeTargets(bus: EventBus, input: OfRule & { readonly Ids?: readonly string[] }): object {
  const rule = findEventRule(bus, input, input.Rule);
  bus.keep({ ...rule, targets: rule.targets.filter(({ id }) => !(input.Ids ?? []).includes(id)) });
  return { FailedEntryCount: 0, FailedEntries: [] };
}

export function listTargets(bus: EventBus, input: OfRule & EventsPageRequest): object {
  const { items, next } = eventsPage(findEventRule(bus, input, input.Rule).targets, input);
  const targets = items.map(({ id, arn, input: constant }) => ({
    Id: id,
    Arn: arn,
    ...(constant !== undefined && { Input: constant }),
  }));
  return { Targets: targets, ...next };
}

export function listRuleNames(
  bus: EventBus,
  input: OnBus & EventsPageRequest & { readonly TargetArn?: string },
): object {
  checkBus(bus, input);
  const rules = bus.all().filter(({ targets }) => targets.some(({ arn }) => arn === input.TargetArn));
  const { items, next } = eventsPage(rules, input);
  return { RuleNames: items.map(({ name }) => name), ...next };
}

type EventRequest = OnBus & {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Resources?: readonly string[];
};

/** Publishes events of the account. Only AWS publishes events with a source of `aws.`. */
export function putEvents(
  bus: EventBus,
  { Entries: entries = [] }: { readonly Entries?: readonly EventRequest[] },
): object {
  if (entries.length === 0 || entries.length > 10)
    throw eventsValidationError(`There are ${entries.length} entries, wanted 1 to 10.`);
  const results = entries.map((entry) => publishEntry(bus, entry));
  return { FailedEntryCount: results.filter((each) => 'ErrorCode' in each).length, Entries: results };
}

function publishEntry(bus: EventBus, entry: EventRequest): object {
  checkBus(bus, entry);
  const { Source: source = '', DetailType: detailType = '', Resources: resources = [] } = entry;
  const detail = parseDetailFields(entry.Detail);
  if (source === '' || detailType === '')
    return writeFailedEntry('InvalidArgument', 'Source and DetailType are required.');
  if (source.startsWith('aws.'))
    return writeFailedEntry('NotAuthorizedForSourceException', 'Not authorized for the source.');
  if (detail === undefined) return writeFailedEntry('MalformedDetail', 'Detail is malformed.');
  return { EventId: bus.publish({ source, detailType, resources, detail }) };
}

const writeFailedEntry = (code: string, message: string): object => ({ ErrorCode: code, ErrorMessage: message });

function parseDetailFields(text = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
