import { oncePerText } from '../../schema/cel/once-per-text.ts';
import { type CelProgram, CelPrograms, type RuleEvaluation } from '../../schema/cel/programs.ts';
import { rewriteObjectLiterals } from '../../schema/cel/object-literals.ts';
import { toCel } from '../../schema/cel/values.ts';
import { asJson } from '../../resources/rules.ts';
import type { Resource } from '../../resources/resource.ts';
import type { JsonValue } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { AdmissionAttributes, AdmissionView } from '../attributes.ts';
import { CelAuthorizer, registerAuthorizer } from './authorizer.ts';
import { CelJsonPatch, registerJsonPatch } from './json-patch-functions.ts';
import { requestDocument } from './request-document.ts';

const programs = new CelPrograms({
  variables: ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables', 'authorizer', 'jsonpatch'],
  extend: (environment) => registerJsonPatch(registerAuthorizer(environment)),
});

type Compilation = { readonly program: CelProgram } | { readonly problem: string };

/** Compiles an expression of admission once. */
export const compileExpression = oncePerText((text): Compilation => {
  try {
    return { program: programs.compile(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message };
    throw error;
  }
});

/** Compiles the expression of a mutation, which may make objects. */
export const compileMutation = oncePerText((text) => compileExpression(rewriteObjectLiterals(text)));

export type PolicyVariables = Readonly<Record<string, unknown>>;

export type NamedExpression = { readonly name: string; readonly expression: string };

export const evaluateExpression = (text: string, variables: PolicyVariables): RuleEvaluation =>
  runCompiled(compileExpression(text), variables);

/** Evaluates the expression of a mutation. */
export const evaluateMutation = (text: string, variables: PolicyVariables): RuleEvaluation =>
  runCompiled(compileMutation(text), variables);

function runCompiled(compiled: Compilation, variables: PolicyVariables): RuleEvaluation {
  if ('problem' in compiled) return { kind: 'failed', error: `compilation failed: ${compiled.problem}`, cost: 0 };
  return compiled.program({ ...variables });
}

type ExpressionInput = {
  readonly attributes: AdmissionAttributes;
  /** The version of the resource that the rules are about. */
  readonly matched: Resource;
  readonly object: ApiObject | undefined;
  readonly old: ApiObject | undefined;
  readonly params?: ApiObject | undefined;
};

const celOf = (value: JsonValue | undefined): unknown => (value === undefined ? null : toCel(undefined, value));

const celObject = (object: ApiObject | undefined): unknown => celOf(object && asJson(object));

/** What the expressions of a webhook or a policy read. */
export function expressionVariables(
  { attributes, matched, object, old, params }: ExpressionInput,
  { store }: AdmissionView,
): PolicyVariables {
  const { resource, namespace, user } = attributes;
  const found = resource.namespaced
    ? store.collection('namespaces').get({ namespace: '', name: namespace })
    : undefined;
  return {
    object: celObject(object),
    oldObject: celObject(old),
    request: celOf(requestDocument(attributes, matched)),
    params: celObject(params),
    namespaceObject: celObject(found),
    authorizer: new CelAuthorizer(user, store),
    variables: new Map(),
    jsonpatch: new CelJsonPatch(),
  };
}

const namedVariable = /\bvariables\.([A-Za-z_]\w*)/g;

/**
 * The variables with `variables.NAME` for what an expression reads. Only those are computed, so that one that fails does
 * no harm where it is not read.
 */
export function withNamedVariables(
  text: string,
  named: readonly NamedExpression[],
  variables: PolicyVariables,
): PolicyVariables | { readonly failed: string } {
  const computed = new Map<string, unknown>();
  const wanted = readNames(text, named);
  for (const { name, expression } of named.filter((each) => wanted.has(each.name))) {
    const result = evaluateExpression(expression, { ...variables, variables: new Map(computed) });
    if (result.kind !== 'value') return { failed: result.error };
    computed.set(name, result.value);
  }
  return { ...variables, variables: computed };
}

/** The variables that an expression reads, and those that these read. */
function readNames(text: string, named: readonly NamedExpression[]): ReadonlySet<string> {
  const wanted = new Set<string>();
  const visit = (expression: string): void => {
    for (const [, name = ''] of expression.matchAll(namedVariable)) {
      if (wanted.has(name)) continue;
      wanted.add(name);
      visit(named.find((each) => each.name === name)?.expression ?? '');
    }
  };
  visit(text);
  return wanted;
}
