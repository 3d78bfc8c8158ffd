import { describe, expect, test } from 'vitest';
import { AwsError } from '../codec/aws-error.ts';
import { applyFilters, type Filter, type Filterable } from './filters.ts';

type Fruit = {
  readonly name: string;
  readonly colours: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
};

const fruits: readonly Fruit[] = [
  { name: 'apple', colours: ['red', 'green'], tags: { Season: 'autumn', 'farm/row': '1' } },
  { name: 'banana', colours: ['yellow'], tags: { Season: 'any' } },
  { name: 'a.c*', colours: [], tags: {} },
  { name: 'abc', colours: ['blue'], tags: { season: 'winter', Season: '' } },
];

const filterable: Filterable<Fruit> = {
  attributes: {
    name: ({ name }) => name,
    colour: ({ colours }) => colours,
    taste: () => undefined,
  },
  tags: ({ tags }) => tags,
};

const namesOf = (...filters: readonly Filter[]): readonly string[] =>
  applyFilters(fruits, filters, filterable).map(({ name }) => name);
const by = (Name: string, ...Values: readonly string[]): Filter => ({ Name, Values });

describe('filters', () => {
  test.each<[fact: string, filters: readonly Filter[], names: readonly string[]]>([
    ['admit everything where there are none', [], ['apple', 'banana', 'a.c*', 'abc']],
    ['compare the whole value', [by('name', 'app')], []],
    ['admit an equal value', [by('name', 'apple')], ['apple']],
    ['admit any of several values', [by('name', 'apple', 'abc')], ['apple', 'abc']],
    ['must all admit a resource', [by('name', 'a*'), by('colour', 'blue')], ['abc']],
    ['admit a resource by any of its values', [by('colour', 'green')], ['apple']],
    ['admit nothing without values', [by('name')], []],
    ['admit no resource without the attribute', [by('taste', '*')], []],
    ['read * as any text', [by('name', 'a*')], ['apple', 'a.c*', 'abc']],
    ['read * as no text, too', [by('name', '*apple*')], ['apple']],
    ['read ? as one character', [by('name', 'a?c')], ['abc']],
    ['do not read ? as no character', [by('name', 'apple?')], []],
    ['read \\* as a star', [by('name', 'a.c\\*')], ['a.c*']],
    ['read \\? as a question mark', [by('name', 'ab\\?')], []],
    ['read a point as a point', [by('name', 'a.c')], []],
    ['read brackets as themselves', [by('name', '[a]pple', '(apple)', 'apple|abc')], []],
    ['tell capitals from small letters', [by('name', 'Apple')], []],
    ['compare the value of a tag', [by('tag:Season', 'autumn')], ['apple']],
    ['read wildcards in the value of a tag', [by('tag:Season', 'a*')], ['apple', 'banana']],
    ['find a tag with an empty value', [by('tag:Season', '')], ['abc']],
    ['find a tag with any value', [by('tag:Season', '*')], ['apple', 'banana', 'abc']],
    ['tell capitals in tag keys', [by('tag:season', 'winter')], ['abc']],
    ['take the rest of the name as the key', [by('tag:farm/row', '1')], ['apple']],
    ['find resources with a tag key', [by('tag-key', 'farm/row', 'season')], ['apple', 'abc']],
    ['read wildcards in a tag key', [by('tag-key', 'farm/*')], ['apple']],
    ['find no tag that every object inherits', [by('tag:constructor', '*')], []],
  ])('%s', (_, filters, names) => {
    expect(namesOf(...filters)).toEqual(names);
  });

  test.each([['size'], ['tag'], ['tags:Season'], ['constructor'], ['']])('named %j are refused', (name) => {
    expect(() => namesOf(by(name, '*'))).toThrow(
      new AwsError('InvalidParameterValue', `The filter '${name}' is invalid`),
    );
  });

  test('of tags are refused for resources without tags', () => {
    const { attributes } = filterable;
    expect(() => applyFilters(fruits, [by('tag-key', 'a')], { attributes })).toThrow("The filter 'tag-key' is invalid");
  });

  test('keep the order of the resources', () => {
    expect(namesOf(by('name', 'abc', 'apple'))).toEqual(['apple', 'abc']);
  });
});
