import { byNumberOf } from '@nodewright/apis';
import { consequences, type ErrorClass, errorCodes } from '@nodewright/provider-aws';
import { callTable, type Follow, nameOfCall } from './call-table.ts';

const then = {
  soon: 'is made again in the next turn',
  backOff: 'is made again after a growing pause',
  afterSpecChange: 'waits for a change of the spec',
} as const;

const allErrorClasses = Object.keys(consequences) as ErrorClass[];

/** One line for each class: what follows, and its codes. */
export const printErrorClasses = (): readonly string[] =>
  allErrorClasses.map((name) => {
    const { attempts, retry } = consequences[name];
    const tried = attempts === 1 ? 'the call' : `after ${attempts} attempts the call`;
    const codes =
      name === 'unknownCode' ? 'every other code' : errorCodes[name].map((code) => `\`${code}\``).join(', ');
    return `- **${name}**: ${tried} ${then[retry]}. Codes: ${codes}.`;
  });

/** One line for each call: the classes whose consequence is not the usual one. */
export const printCalls = (): readonly string[] =>
  callTable.map((rule) => {
    const differs = Object.entries(rule.differs ?? {}).map(([name, follow]) => [name, printFollow(follow)] as const);
    return `- \`${nameOfCall(rule)}\`: ${differs.length === 0 ? 'as usual' : summarise(differs)}.`;
  });

const printFollow = (follow: Follow): string =>
  typeof follow === 'string' ? then[follow] : `answer "${follow.answer}"`;

/** The answer that most classes lead to comes last, without their names. */
function summarise(differs: readonly (readonly [name: string, text: string])[]): string {
  const names = (text: string): readonly string[] => differs.filter((each) => each[1] === text).map(([name]) => name);
  const texts = [...new Set(differs.map(([, text]) => text))].toSorted(byNumberOf((each) => names(each).length));
  return texts
    .map((text) => {
      const isForMost = differs.length === allErrorClasses.length && text === texts.at(-1);
      return `${isForMost ? 'every other class' : names(text).join(', ')}: ${text}`;
    })
    .join('; ')
    .replace(/^every other class/, 'every class');
}
