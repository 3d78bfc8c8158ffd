import type { AmiSelectorTerm, SelectorTerm } from '../types.ts';

type SelectorMap = Readonly<Record<string, string>>;

/** Keys of a selector map that are no tags. */
const idKeys = ['aws-ids', 'aws::ids'] as const;
const nameKey = 'aws::name';
const ownersKey = 'aws::owners';
export const minimumAgeKey = 'minimumAgeDuration';

/**
 * Terms that select what a map of tags or ids selected. A comma list meant any of its values; a term holds one
 * value per tag, so there is a term for each combination.
 */
export function selectorTerms(selector: SelectorMap): readonly SelectorTerm[] {
  const ids = idsOf(selector);
  return ids === undefined ? tagCombinations(selector).map((tags) => ({ tags })) : ids.map((id) => ({ id }));
}

/** As `selectorTerms`, for images: owners × names × tags, each with the minimum age unless ids name the images. */
export function amiSelectorTerms(selector: SelectorMap): readonly AmiSelectorTerm[] {
  const ids = idsOf(selector);
  if (ids !== undefined) return ids.map((id) => ({ id }));
  const { [nameKey]: names, [ownersKey]: owners, [minimumAgeKey]: minimumAgeDuration, ...tags } = selector;
  const age = minimumAgeDuration === undefined ? {} : { minimumAgeDuration };
  return eachOrNone(owners).flatMap((owner) =>
    eachOrNone(names).flatMap((name) =>
      tagCombinations(tags).map((combination) => ({
        ...(owner === undefined ? {} : { owner }),
        ...(name === undefined ? {} : { name }),
        ...(Object.keys(combination).length === 0 ? {} : { tags: combination }),
        ...age,
      })),
    ),
  );
}

/** A map with nothing but a minimum age selects no images by itself: the family does. */
export const selectsImages = (selector: SelectorMap): boolean =>
  Object.keys(selector).some((key) => key !== minimumAgeKey);

/** Keys beside ids: where ids name the images, nothing else is respected. */
export const keysBesideIds = (selector: SelectorMap): readonly string[] =>
  idsOf(selector) === undefined ? [] : Object.keys(selector).filter((key) => !idKeys.some((idKey) => idKey === key));

/** Owners alone say whose, not which. */
export const namesOnlyOwners = (selector: SelectorMap): boolean =>
  selector[ownersKey] !== undefined && Object.keys(selector).every((key) => key === ownersKey || key === minimumAgeKey);

function idsOf(selector: SelectorMap): readonly string[] | undefined {
  const lists = idKeys.flatMap((key) => selector[key] ?? []);
  return lists.length === 0 ? undefined : lists.flatMap(splitSelectorValues);
}

function tagCombinations(tags: SelectorMap): readonly SelectorMap[] {
  return Object.entries(tags).reduce<readonly SelectorMap[]>(
    (combinations, [key, values]) =>
      combinations.flatMap((combination) =>
        splitSelectorValues(values).map((value) => ({ ...combination, [key]: value })),
      ),
    [{}],
  );
}

const eachOrNone = (values: string | undefined): readonly (string | undefined)[] =>
  values === undefined ? [undefined] : splitSelectorValues(values);

const splitSelectorValues = (values: string): readonly string[] =>
  values
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
