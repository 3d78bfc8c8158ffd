import { byNumberOf, inReverse } from '@nodewright/apis';
/** Prints what the language rules count: repeated exports, one-word functions, ambiguous names. `npm run names`. */
import { ambiguousShare, declarations, oneWordFunctions, repeatedNames } from '../architecture/names.ts';

const all = declarations();
const exported = repeatedNames(all.filter(({ isExported }) => isExported));
const repeated = repeatedNames(all);

console.log(`${all.length} top-level declarations, ${(100 * ambiguousShare(all)).toFixed(1)} % with an ambiguous name`);
console.log(`\n${exported.size} names are exported by more than one file:`);
for (const [name, files] of exported) console.log(`  ${name}: ${files.join(', ')}`);
console.log(`\n${oneWordFunctions(all).length} exported functions have a name of one word:`);
for (const { name, file } of oneWordFunctions(all)) console.log(`  ${name}: ${file}`);
console.log('\nThe most repeated names:');
for (const [name, files] of [...repeated].toSorted(inReverse(byNumberOf(([, files]) => files.length))).slice(0, 60)) {
  console.log(`  ${name}: ${files.length}`);
}
