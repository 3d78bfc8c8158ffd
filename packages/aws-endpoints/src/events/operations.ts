import { pageOf } from '../paging.ts';
import { badNextToken, badPattern, hasTargets, invalid, noSuchBus, noSuchRule } from './errors.ts';
import type { EventBus, Rule, Target } from './event-bus.ts';
import { parsePattern } from './pattern.ts';

type OnBus = { readonly EventBusName?: string };
type Named = OnBus & { readonly Name?: string };
type OfRule = OnBus & { readonly Rule?: string };
type Paged = { readonly Limit?: number; readonly NextToken?: string };

/** There is the default bus, by its name or its ARN. */
function checkBus(bus: EventBus, { EventBusName: name }: OnBus): void {
  if (name !== undefined && name !== 'default' && name !== bus.arn) throw noSuchBus(name);
}

function ruleOf(bus: EventBus, input: OnBus, name = ''): Rule {
  checkBus(bus, input);
  const rule = bus.find(name);
  if (rule === undefined) throw noSuchRule(name);
  return rule;
}

type PutRuleRequest = Named & {
  readonly EventPattern?: string;
  readonly State?: string;
  readonly Description?: string;
  readonly ScheduleExpression?: string;
};

export function putRule(bus: EventBus, input: PutRuleRequest): object {
  const { Name: name = '', EventPattern: pattern, State: state = 'ENABLED', Description: description } = input;
  checkBus(bus, input);
  if (!/^[.\-_A-Za-z0-9]{1,64}$/.test(name))
    throw invalid(`Name ${name} is not valid: letters, digits and . - _ up to 64`);
  if (input.ScheduleExpression !== undefined) throw invalid('The sandbox serves rules with an event pattern only.');
  if (pattern === undefined) throw invalid('Parameter(s) EventPattern or ScheduleExpression must be specified.');
  if (state !== 'ENABLED' && state !== 'DISABLED') throw invalid(`State is ${state}, wanted ENABLED or DISABLED`);
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

const told = (bus: EventBus, { name, pattern, enabled, description }: Rule) => ({
  Name: name,
  Arn: bus.arnOf(name),
  EventPattern: pattern,
  State: enabled ? 'ENABLED' : 'DISABLED',
  ...(description !== undefined && { Description: description }),
  EventBusName: 'default',
});

export const describeRule = (bus: EventBus, input: Named): object => told(bus, ruleOf(bus, input, input.Name));

export function listRules(bus: EventBus, input: OnBus & Paged & { readonly NamePrefix?: string }): object {
  checkBus(bus, input);
  const named = bus.all().filter(({ name }) => name.startsWith(input.NamePrefix ?? ''));
  const { items, next } = page(named, input);
  return { Rules: items.map((rule) => told(bus, rule)), ...next };
}

function page<T>(all: readonly T[], { Limit: size = 100, NextToken: token }: Paged) {
  const { items, next } = pageOf(all, { size, token, refuse: badNextToken });
  return { items, next: next === undefined ? {} : { NextToken: next } };
}

export function setEnabled(bus: EventBus, input: Named, enabled: boolean): object {
  bus.keep({ ...ruleOf(bus, input, input.Name), enabled });
  return {};
}

/** A rule that is not there is deleted already. */
export function deleteRule(bus: EventBus, input: Named): object {
  checkBus(bus, input);
  const { Name: name = '' } = input;
  if ((bus.find(name)?.targets.length ?? 0) > 0) throw hasTargets();
  bus.delete(name);
  return {};
}

type TargetRequest = { readonly Id?: string; readonly Arn?: string; readonly Input?: string };

export function putTargets(bus: EventBus, input: OfRule & { readonly Targets?: readonly TargetRequest[] }): object {
  const rule = ruleOf(bus, input, input.Rule);
  const added = (input.Targets ?? []).map(targetOf);
  const kept = rule.targets.filter(({ id }) => !added.some((each) => each.id === id));
  if (kept.length + added.length > 5) throw invalid('A rule has five targets at most.');
  bus.keep({ ...rule, targets: [...kept, ...added] });
  return { FailedEntryCount: 0, FailedEntries: [] };
}

function targetOf({ Id: id = '', Arn: arn = '', Input: input }: TargetRequest): Target {
  if (id === '' || arn === '') throw invalid('Each target needs an Id and an Arn.');
  if (!arn.startsWith('arn:aws:sqs:'))
    throw invalid(`Parameter ${arn} is not valid. Reason: the sandbox delivers to queues only.`);
  return { id, arn, ...(input !== undefined && { input }) };
}

export function removeTargets(bus: EventBus, input: OfRule & { readonly Ids?: readonly string[] }): object {
  const rule = ruleOf(bus, input, input.Rule);
  bus.keep({ ...rule, targets: rule.targets.filter(({ id }) => !(input.Ids ?? []).includes(id)) });
  return { FailedEntryCount: 0, FailedEntries: [] };
}

export function listTargets(bus: EventBus, input: OfRule & Paged): object {
  const { items, next } = page(ruleOf(bus, input, input.Rule).targets, input);
  const targets = items.map(({ id, arn, input: constant }) => ({
    Id: id,
    Arn: arn,
    ...(constant !== undefined && { Input: constant }),
  }));
  return { Targets: targets, ...next };
}

export function listRuleNames(bus: EventBus, input: OnBus & Paged & { readonly TargetArn?: string }): object {
  checkBus(bus, input);
  const rules = bus.all().filter(({ targets }) => targets.some(({ arn }) => arn === input.TargetArn));
  const { items, next } = page(rules, input);
  return { RuleNames: items.map(({ name }) => name), ...next };
}

type EventRequest = OnBus & {
  readonly Source?: string;
  readonly DetailType?: string;
  readonly Detail?: string;
  readonly Resources?: readonly string[];
};

/** Events of one's own; those of AWS nobody else can make. */
export function putEvents(
  bus: EventBus,
  { Entries: entries = [] }: { readonly Entries?: readonly EventRequest[] },
): object {
  if (entries.length === 0 || entries.length > 10)
    throw invalid(`There are ${entries.length} entries, wanted 1 to 10.`);
  const results = entries.map((entry) => published(bus, entry));
  return { FailedEntryCount: results.filter((each) => 'ErrorCode' in each).length, Entries: results };
}

function published(bus: EventBus, entry: EventRequest): object {
  checkBus(bus, entry);
  const { Source: source = '', DetailType: detailType = '', Resources: resources = [] } = entry;
  const detail = fieldsOf(entry.Detail);
  if (source === '' || detailType === '') return failed('InvalidArgument', 'Source and DetailType are required.');
  if (source.startsWith('aws.')) return failed('NotAuthorizedForSourceException', 'Not authorized for the source.');
  if (detail === undefined) return failed('MalformedDetail', 'Detail is malformed.');
  return { EventId: bus.publish({ source, detailType, resources, detail }) };
}

const failed = (code: string, message: string): object => ({ ErrorCode: code, ErrorMessage: message });

function fieldsOf(text = ''): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null && !Array.isArray(json) ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
