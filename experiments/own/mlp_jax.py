"""A perceptron in JAX: a model of any framework whose gradient is a function. Needs jax (pip install jax)."""
import jax
import jax.numpy as np

from paceline_objective import serve

WIDTHS = (28 * 28, 100, 10)


def start(key=jax.random.PRNGKey(1)):
    values = {}
    for layer, (inputs, outputs) in enumerate(zip(WIDTHS, WIDTHS[1:])):
        key, one = jax.random.split(key)
        values["dense%d.weight" % layer] = jax.random.normal(one, (inputs, outputs)) * (2 / inputs) ** 0.5
        values["dense%d.bias" % layer] = np.zeros(outputs)
    return values


def scores(values, inputs):
    x = inputs.reshape(len(inputs), -1)
    for layer in range(len(WIDTHS) - 1):
        x = x @ values["dense%d.weight" % layer] + values["dense%d.bias" % layer]
        x = x if layer == len(WIDTHS) - 2 else jax.nn.relu(x)
    return x


def loss(values, inputs, targets):
    return -np.take_along_axis(jax.nn.log_softmax(scores(values, inputs)), targets[:, None], axis=1).mean()


step = jax.jit(jax.value_and_grad(loss))
judge = jax.jit(lambda values, inputs, targets: (loss(values, inputs, targets), (scores(values, inputs).argmax(axis=1) == targets).sum()))


def evaluate(values, inputs, targets):
    mean, correct = judge(values, inputs, targets)
    return {"loss": mean, "correct": correct, "total": len(targets)}


serve(start(), step, evaluate)
