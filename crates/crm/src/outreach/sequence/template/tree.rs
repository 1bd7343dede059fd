//! The syntax tree of a template: what it contains and must not.

use super::engine::{self, FILTERS, TESTS};
use super::{Fault, LARGEST_BOUND, did_you_mean};
use minijinja::Value;
use minijinja::machinery::ast::{BinOpKind, CallArg, Expr, Stmt};

/// What a template contains and must not.
fn faults(tree: &Stmt) -> Vec<Fault> {
    let mut found: Vec<Fault> = Vec::new();
    each_expression(tree, &mut |expression| {
        let fault = match expression {
            Expr::Filter(filter) if !FILTERS.contains(&filter.name) => {
                let meant = did_you_mean(filter.name, FILTERS);
                let reason = format!("there is no filter {}{meant}; there are {}", filter.name, FILTERS.join(", "));
                Fault { is_refused: engine::REFUSED.contains(&filter.name), ..Fault::of(reason) }
            }
            Expr::Test(test) if !TESTS.contains(&test.name) => {
                Fault::of(format!("there is no test {}; there are {}", test.name, TESTS.join(", ")))
            }
            Expr::BinOp(operator) if matches!(operator.op, BinOpKind::Mul | BinOpKind::Pow) => {
                Fault::refused("does not take * and **: nothing is repeated or multiplied")
            }
            // Jinja reserves these names; they never have a value.
            Expr::Var(name) if ["self", "loop", "super"].contains(&name.id) => {
                Fault::of(format!("there is no {} to fill in", name.id))
            }
            Expr::Call(_) => Fault::of("does not take calls such as name(): there are no functions"),
            _ => return,
        };
        if !found.contains(&fault) {
            found.push(fault);
        }
    });
    found
}

/// What a template contains and must not, including bounds of slices.
pub(super) fn all_faults(tree: &Stmt) -> Vec<Fault> {
    let mut found = faults(tree);
    // Bounds are computed, which is safe only if nothing is refused.
    if !found.iter().any(|fault| fault.is_refused) {
        found.extend(slice_fault(tree));
    }
    found
}

/// A slice with a constant bound that is too large. The template engine negates and adds bounds without a check. Bounds that
/// come from values are computed under `guarded`.
fn slice_fault(tree: &Stmt) -> Option<Fault> {
    let mut fault = None;
    each_expression(tree, &mut |expression| {
        let Expr::Slice(slice) = expression else { return };
        let bounds = [&slice.start, &slice.stop, &slice.step].into_iter().flatten().filter_map(Expr::as_const);
        for bound in bounds.filter(|bound| !bound.is_none()) {
            let number = i128::try_from(bound).ok();
            if number.is_none_or(|number| !(-LARGEST_BOUND..=LARGEST_BOUND).contains(&number)) {
                let most = LARGEST_BOUND;
                let reason = format!("has a slice whose bounds are not whole numbers from -{most} to {most}");
                fault = Some(Fault::refused(reason));
            }
        }
    });
    fault
}

/// Operations that fail for every contact. Only for a tree in which nothing is refused, since constants are computed.
pub(super) fn incomputable(tree: &Stmt) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    each_expression(tree, &mut |expression| {
        let reason = match expression {
            Expr::BinOp(operator)
                if matches!(operator.op, BinOpKind::Div | BinOpKind::FloorDiv | BinOpKind::Rem)
                    && operator.right.as_const() == Some(Value::from(0)) =>
            {
                "divides by zero"
            }
            Expr::BinOp(_) | Expr::UnaryOp(_)
                if parts(expression).iter().all(|part| part.as_const().is_some())
                    && expression.as_const().is_none() =>
            {
                "computes with values that do not fit together, such as 'a' - 1"
            }
            _ => return,
        };
        if !found.iter().any(|known| known == reason) {
            found.push(reason.to_owned());
        }
    });
    found
}

/// Visits every expression, parents first.
fn each_expression<'a, 'b>(statement: &'a Stmt<'b>, visit: &mut dyn FnMut(&'a Expr<'b>)) {
    match statement {
        Stmt::Template(template) => template.children.iter().for_each(|child| each_expression(child, visit)),
        Stmt::EmitExpr(emit) => each_below(&emit.expr, visit),
        Stmt::IfCond(condition) => {
            each_below(&condition.expr, visit);
            condition.true_body.iter().chain(&condition.false_body).for_each(|child| each_expression(child, visit));
        }
        // No other statement is parsed.
        _ => {}
    }
}

fn each_below<'a, 'b>(expression: &'a Expr<'b>, visit: &mut dyn FnMut(&'a Expr<'b>)) {
    visit(expression);
    parts(expression).into_iter().for_each(|part| each_below(part, visit));
}

/// The direct parts of an expression.
pub(super) fn parts<'a, 'b>(expression: &'a Expr<'b>) -> Vec<&'a Expr<'b>> {
    let args = |args: &'a [CallArg<'b>]| {
        args.iter().map(|arg| match arg {
            CallArg::Pos(part) | CallArg::Kwarg(_, part) | CallArg::PosSplat(part) | CallArg::KwargSplat(part) => part,
        })
    };
    match expression {
        Expr::Var(_) | Expr::Const(_) => Vec::new(),
        Expr::Slice(slice) => {
            [&slice.start, &slice.stop, &slice.step].into_iter().flatten().chain([&slice.expr]).collect()
        }
        Expr::UnaryOp(operator) => vec![&operator.expr],
        Expr::BinOp(operator) => vec![&operator.left, &operator.right],
        Expr::Compare(compare) => std::iter::once(&compare.expr).chain(compare.ops.iter().map(|op| &op.expr)).collect(),
        Expr::IfExpr(choice) => [&choice.test_expr, &choice.true_expr].into_iter().chain(&choice.false_expr).collect(),
        Expr::Filter(filter) => filter.expr.iter().chain(args(&filter.args)).collect(),
        Expr::Test(test) => std::iter::once(&test.expr).chain(args(&test.args)).collect(),
        Expr::GetAttr(member) => vec![&member.expr],
        Expr::GetItem(item) => vec![&item.expr, &item.subscript_expr],
        Expr::Call(call) => std::iter::once(&call.expr).chain(args(&call.args)).collect(),
        Expr::List(list) => list.items.iter().collect(),
        Expr::Tuple(tuple) => tuple.items.iter().collect(),
        Expr::Map(map) => map.keys.iter().chain(&map.values).collect(),
    }
}
