"""The story of the README, with a client that OpenAPI Generator makes for Python."""

import os
from datetime import datetime, timedelta, timezone

import openapi_client as api

configuration = api.Configuration(
    host=os.environ["PRICEBOOK_URL"], api_key={"apiKey": os.environ["PRICEBOOK_KEY"]}
)
client = api.ApiClient(configuration)
books, prices, history = api.PriceBooksApi(client), api.PricesApi(client), api.HistoryApi(client)


def override(product_id, amount):
    adjustment = api.RequestedAdjustment(api.OverrideAdjustment(type="override", amount=amount))
    return api.ProductItem(
        product_id=product_id, adjustments={"USD": api.RequestedAdjustments(adjustment)}
    )


def no_price(ask):
    try:
        ask()
    except api.exceptions.NotFoundException as error:
        return error.data.type
    raise AssertionError("there is a price")


book = books.create_price_book(api.CreatePriceBook(name="Retail")).id
items = [override("lamp", 49.99), override("crane", 1234567.89)]
assert prices.set_product_prices(book, api.SetProductPrices(items)).products_set == 2
assert prices.get_product_price(book, "crane", "USD").price == 1234567.89

percent = api.PercentAdjustment(type="percent", amount=10)
for_all = api.AllProductsAdjustmentsOrNull(api.AllProductsAdjustment(percent))
prices.set_product_prices(
    book, api.SetProductPrices(api.AllProducts(product_id="all", adjustments={"USD": for_all}))
)
lamp = prices.get_product_price(book, "lamp", "USD", explain=True)
assert lamp.price == 54.99
assert lamp.explanation.steps[0].entered.adjustment.actual_instance.amount == 49.99

yesterday = datetime.now(timezone.utc) - timedelta(days=1)
then = no_price(lambda: prices.get_product_price(book, "lamp", "USD", at=yesterday))
assert then == "/problems/no-price"

lines = [api.QuoteLine(product_id=id, currency="USD") for id in ("crane", "seat")]
crane, seat = [line.actual_instance for line in prices.quote(book, lines)]
assert crane.price == 1358024.68
assert seat.problem.type == "/problems/no-price"

types = [entry.actual_instance.type for entry in history.get_price_book_history(book)]
assert types == ["PriceBookCreated", "ProductPricesSet", "AllProductsAdjusted"]
period = history.get_price_history(book, "crane", "USD")[-1]
assert period.to is None and period.price == 1358024.68

prices.delete_price_book_entries(book, ["lamp"])
assert no_price(lambda: prices.get_product_price(book, "lamp", "USD")) == "/problems/no-price"
books.delete_price_book(book)
assert no_price(lambda: books.get_price_book(book)) == "/problems/price-book-not-found"
