/**
 * Python code that says whether a module has a name, by its source alone: nothing of the module
 * runs. `names_of` returns the names that the top level binds, anywhere, and whether it may have
 * others: by `import *`, `__getattr__` and the like.
 */
export const NAMES_OF = `
import ast, symtable

DYNAMIC = {'globals', 'locals', 'vars', 'exec', 'eval', 'setattr', 'modules',
           '__getattr__', '__dict__'}

def names_of(source):
    tree = ast.parse(source)
    top = symtable.symtable(source, 'module', 'exec')
    names = {each.get_name() for each in top.get_symbols()
             if each.is_assigned() or each.is_imported() or each.is_namespace()}
    tables = top.get_children()
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        names.update(each.get_name() for each in table.get_symbols()
                     if each.is_declared_global()
                     and (each.is_assigned() or each.is_imported()))
    used = {getattr(each, 'id', getattr(each, 'attr', getattr(each, 'name', None)))
            for each in ast.walk(tree)}
    has_star = any(isinstance(each, ast.ImportFrom) and each.names[0].name == '*'
                   for each in ast.walk(tree))
    return names, has_star or bool(used & DYNAMIC)
`
